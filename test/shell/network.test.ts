import { describe, expect, it } from 'vitest';
import { analyzeShell, openWorkspace, shell } from '../../src/entries/tools.js';
import { CORPUS, OPTIONS } from './support.js';

const reaches = (command: string): boolean => analyzeShell(command, OPTIONS).network === true;

describe('a command that reaches another machine is marked, whatever its effect', () => {
  it.each([
    'curl https://example.com', 'curl -s example.com | head', 'wget -qO- https://example.com/x', 'dig example.com', 'host example.com', 'nslookup example.com', 'ping -c 1 example.com', 'whois example.com', 'traceroute example.com', 'nc -z example.com 80',
    'git fetch', 'git -C sub fetch origin', 'git -c user.name=x pull', 'git clone https://example.com/r', 'git ls-remote origin', 'git push', 'git remote update', 'git submodule update', 'npm view left-pad', 'npm install', 'npm --silent view x', 'npx tsc', 'yarn info x', 'pnpm outdated', 'pip index versions x', 'pip install x', 'cargo search x', 'go get x', 'brew search x', 'apt update',
    'gh pr list', 'kubectl get pods', 'aws s3 ls', 'docker pull x', 'docker search x', 'ssh host ls', 'scp a host:', 'rsync -a a host:b', 'psql -c "select 1"', 'openssl s_client -connect example.com:443', 'telnet example.com', 'mail -s x a@example.com',
    'echo x > /dev/tcp/example.com/80', 'exec 3<>/dev/udp/1.2.3.4/53', 'cat < /dev/tcp/example.com/80',
    'ls; curl x.com', 'ls && (wget x.com)', 'echo $(curl x.com)', 'echo "`dig x.com`"', 'cat <(curl x.com)', 'env curl x.com', 'timeout 5 curl x.com', 'xargs curl', 'bash -c "curl x.com"', 'f() { curl x.com; }; f', 'find . -exec curl {} \\;', 'if true; then dig x.com; fi', '/usr/bin/curl x.com', "'curl' x.com", 'c\\url x.com', "eval 'curl x.com'", "trap 'curl x.com' EXIT",
    'git "$x"', 'npm $cmd', 'curl x.com "', 'wget x.com )', `curl x.com ${'#'.repeat(20_001)}`,
  ])('%s', (command) => expect(reaches(command)).toBe(true));
});

describe('and what stays here is not', () => {
  it.each([
    'ls', 'cat curl.txt', 'echo curl', 'grep -r "wget" .', 'git status', 'git log --grep fetch', 'git commit -m "fetch"', 'git -C fetch status', 'git diff', 'npm ls', 'npm -v', 'npm run build', 'npm config get registry', 'pip freeze', 'pip show x', 'cargo --version', 'go version', 'docker ps', 'openssl dgst a.txt',
    'curl --version', 'find . -name curl', 'echo "ssh host"', 'rm -rf x', 'make', './script.sh', 'ls > /dev/null',
  ])('%s', (command) => expect(reaches(command)).toBe(false));
});

it('the mark stands beside the verdict and changes nothing of it', () => {
  expect(analyzeShell('ls', OPTIONS)).toEqual({ effect: 'read', findings: [] });
  expect(analyzeShell('dig example.com', OPTIONS)).toEqual({ effect: 'read', findings: [], network: true });
});
it('of the labelled commands, each that asks a web server or a name server by itself is marked', () => {
  const asking = CORPUS.filter(({ command }) => /^(?:curl|wget|dig|host|nslookup|ping|ssh|scp|git (?:fetch|pull|push|clone|ls-remote))(?![\w-])/.test(command) && !/(?:--version|--help|-V)$/.test(command));
  expect(asking.length).toBeGreaterThan(30);
  expect(asking.filter(({ command }) => !reaches(command)).map(({ command }) => command)).toEqual([]);
});
it('a host\'s rule for a program doesn\'t take the mark away', () => {
  expect(analyzeShell('curl x.com', { ...OPTIONS, programs: { curl: () => 'read' } })).toMatchObject({ effect: 'read', network: true });
});

it('the shell tool says at once what leaves the machine', () => {
  const tool = shell({ workspace: openWorkspace(process.cwd()), rewrite: (command) => (command === 'look it up' ? 'curl example.com' : command) });
  const outward = (command: string): unknown => tool.outward?.({ command } as never);
  expect(['curl example.com/?q=1', 'ls', 'look it up', 'echo x > new.txt', 'rm x'].map(outward)).toEqual([['curl example.com/?q=1'], undefined, ['curl example.com'], undefined, undefined]);
});
