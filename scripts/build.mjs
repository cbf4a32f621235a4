// Builds dist: JavaScript by tsup, types by tsc.
import { execFileSync } from 'node:child_process';

const run = (command, ...args) => execFileSync(process.execPath, [`node_modules/${command}`, ...args], { stdio: 'inherit' });
run('tsup/dist/cli-default.js', '--silent');
run('typescript/bin/tsc', '-p', 'tsconfig.build.json');
