import { READ, gravest, shown, stop } from '../judgement.js';
import { optionTable, parseOptions, refused } from '../options.js';
import type { Field, ProgramRule, ProgramTable } from '../types.js';

const CURL = optionTable('sSLfIikvg46NGaj0123# o: w: m: H: A: X: r: e: Z --silent --show-error --location --fail --head --include --insecure --verbose --output= --write-out= --max-time= --connect-timeout= --header= --user-agent= --request= --compressed --retry= --retry-delay= --no-progress-meter --progress-bar --url= --range= --referer= --http1.1 --http2 --ipv4 --ipv6 --fail-with-body --max-redirs= --get --globoff --version --help --no-buffer --path-as-is --remote-name --create-dirs O --retry-connrefused --parallel');
const WGET = optionTable('qncSN46 O: T: t: P: U: --quiet --spider --output-document= --timeout= --tries= --no-verbose --no-check-certificate --header= --user-agent= --server-response --max-redirect= --no-clobber --version --help --https-only --directory-prefix= --method= v');
const WEB = /^(?:https?:\/\/)?[\w.-]+(?::\d+)?(?:[/?#].*)?$|^\[/i;

/** What is sent must stand in the text: an address built from a file's content carries that content away. */
function unsent(fields: readonly (Field | true | undefined)[]): Field | undefined {
  return fields.find((field): field is Field => field !== undefined && field !== true && (field.text === undefined || /^@/.test(field.text)));
}

const curl: ProgramRule = ({ args, scope }) => {
  if (args.some((arg) => arg.many)) return stop('what it sends can\'t be read from the text');
  const parsed = parseOptions(args, CURL);
  if (refused(parsed)) return parsed;
  const { options, operands } = parsed;
  const method = options.get('-X') ?? options.get('--request');
  if (method !== undefined && method !== true && !/^(?:GET|HEAD|OPTIONS)$/.test(method.text ?? '')) return stop('it sends something that changes another machine', method.range);
  const headers = args.filter((_, index) => /^(?:-[a-zA-Z]*H|--header)$/.test(args[index - 1]?.text ?? ''));
  const hidden = unsent([...operands, ...headers, ...['-H', '--header', '-A', '--user-agent', '-e', '--referer', '--url'].map((name) => options.get(name))]);
  if (hidden) return stop(`it sends ${shown(hidden)}, which can't be read from the text`, hidden.range);
  const format = options.get('-w') ?? options.get('--write-out');
  if (format !== undefined && format !== true && (format.text === undefined || /^@|%output/.test(format.text))) return stop('its report can\'t be read from the text', format.range);
  const address = options.get('--url');
  const odd = [...operands, ...(address === undefined || address === true ? [] : [address])].find((operand) => !WEB.test(operand.text ?? ''));
  if (odd) return stop(`${shown(odd)} is no plain web address`, odd.range);
  const outputs = args.flatMap((arg, index) => (/^(?:-[a-zA-Z#0-9]*o|--output)$/.test(args[index - 1]?.text ?? '') ? [arg] : []));
  const attached = ['-o', '--output'].map((name) => options.get(name)).filter((field): field is Field => field !== undefined && field !== true);
  const named = options.has('-O') || options.has('--remote-name') ? operands.map(lastName) : [];
  return gravest([...outputs, ...attached.filter((field) => !outputs.some((other) => other.text === field.text)), ...named].map((field) => (field.text === '-' ? READ : scope.target(field, 'content'))));
};

/** The name that a download gets from its address. */
function lastName(field: Field): Field {
  const name = /^(?:https?:\/\/)?[^/?#]+\/(?:[^?#]*\/)?([^/?#]+)$/.exec(field.text ?? '')?.[1];
  return { ...field, text: name, prefix: name ?? '' };
}

const wget: ProgramRule = ({ args, scope }) => {
  if (args.some((arg) => arg.many)) return stop('what it sends can\'t be read from the text');
  // "-qO-" holds an output of its own.
  const parsed = parseOptions(args, WGET);
  if (refused(parsed)) return parsed;
  const { options, operands } = parsed;
  const method = options.get('--method');
  if (method !== undefined && method !== true && !/^(?:GET|HEAD)$/.test(method.text ?? '')) return stop('it sends something that changes another machine', method.range);
  const hidden = unsent([...operands, options.get('--header'), options.get('--user-agent'), options.get('-U')]);
  if (hidden) return stop(`it sends ${shown(hidden)}, which can't be read from the text`, hidden.range);
  const odd = operands.find((operand) => !WEB.test(operand.text ?? ''));
  if (odd) return stop(`${shown(odd)} is no plain web address`, odd.range);
  if (options.has('--spider') || operands.length === 0) return READ;
  if (options.has('-N')) return stop('where it writes can\'t be read from the text');
  const folder = options.get('-P') ?? options.get('--directory-prefix');
  if (folder !== undefined && folder !== true && !folder.text) return stop('where it writes can\'t be read from the text', folder.range);
  const within = folder === undefined || folder === true ? '' : `${folder.text!.replace(/\/+$/, '')}/`;
  const output = options.get('-O') ?? options.get('--output-document');
  if (output !== undefined && output !== true) return output.text === '-' ? READ : scope.target(output, 'content');
  return gravest(operands.map((operand) => scope.target({ ...operand, text: `${within}${lastName(operand).text ?? 'index.html'}` }, 'content')));
};

/** Asks the network about a name: the name must be readable, or it could carry something out. */
function asks(options: string): ProgramRule {
  const table = optionTable(options);
  return ({ args }) => {
    const hidden = args.find((arg) => arg.text === undefined);
    if (hidden) return stop('what it sends can\'t be read from the text', hidden.range);
    const parsed = parseOptions(args, table);
    return refused(parsed) ? parsed : READ;
  };
}
const dig: ProgramRule = ({ args }) => {
  const hidden = args.find((arg) => arg.text === undefined || /^-[fk]/.test(arg.text));
  return hidden ? stop('what it sends can\'t be read from the text', hidden.range) : READ;
};

const openssl: ProgramRule = ({ args }) => {
  const texts = args.map((arg) => arg.text);
  if (texts.includes(undefined)) return stop('an argument that can\'t be read could be an option');
  const [command, ...rest] = texts as string[];
  if (/^(?:version|ciphers|list|help|rand)$/.test(command ?? '')) return rest.some((word) => /^-(?:out|writerand|engine|config|provider)/.test(word)) ? stop('it writes a file') : READ;
  return /^(?:dgst|sha\d+|md5|x509|verify|asn1parse|crl|req)$/.test(command ?? '') && rest.every((word) => !/^-(?:out|sign|engine|new|key|CA|config|provider|signkey|x509toreq|newkey|keyout|writerand|CAcreateserial|CAserial|keygen)/.test(word) || word === '-CAfile') ? READ : stop('it may write or send');
};

/** Only a look whether a port is open. */
const nc: ProgramRule = (call) => (call.args.some((arg) => /^-[vnu46]*z/.test(arg.text ?? '')) ? asks('zvn46u w:')(call) : stop('it sends what it is given'));

/** Programs that ask other machines. */
export const NETWORK: ProgramTable = new Map<string, ProgramRule>([
  ['curl', curl], ['wget', wget], ['dig', dig], ['nslookup', asks('')], ['host', asks('atvV46 t: c: W:')], ['whois', asks('hH p:')], ['openssl', openssl],
  ['ping', asks('n46qvAO c: i: W: w: s: t:')], ['ping6', asks('nq c: i: W: w: s: t:')], ['traceroute', asks('n46I m: w: q: T')], ['tracepath', asks('nb46 m:')], ['mtr', asks('rwnz c: --report --no-dns')], ['nc', nc],
]);
