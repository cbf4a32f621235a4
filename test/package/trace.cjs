// Preloaded into a child: writes the name of every module that is asked for, by import or by require, to $ARTOO_TRACE.
const { appendFileSync } = require('node:fs');
const Module = require('node:module');
const { pathToFileURL } = require('node:url');

const file = process.env.ARTOO_TRACE;
const load = Module._load;
Module._load = function traced(request, ...rest) {
  appendFileSync(file, `${request}\n`);
  return load.call(this, request, ...rest);
};
const hooks = `
  import { appendFileSync } from 'node:fs';
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    appendFileSync(${JSON.stringify(file)}, specifier + '\\n' + found.url + '\\n');
    return found;
  }`;
Module.register(`data:text/javascript,${encodeURIComponent(hooks)}`, pathToFileURL(__filename));
