import { stop } from './judgement.js';
import { BUILTINS } from './programs/builtins.js';
import { COMPILERS } from './programs/compilers.js';
import { FILES } from './programs/files.js';
import { ARCHIVES } from './programs/archives.js';
import { FIND } from './programs/find.js';
import { GIT } from './programs/git.js';
import { INTERPRETERS } from './programs/interpreters.js';
import { NETWORK } from './programs/network.js';
import { reachesOut } from './reaches-out.js';
import { PACKAGES } from './programs/packages.js';
import { READERS } from './programs/readers.js';
import { SERVICES } from './programs/services.js';
import { SYSTEM } from './programs/system.js';
import { TEXT } from './programs/text.js';
import { WRAPPERS } from './programs/wrappers.js';
import type { Field, Judgement, ProgramRule, Scope } from './types.js';
import type { WalkState } from './walk-state.js';

const TABLES = [READERS, BUILTINS, WRAPPERS, FILES, ARCHIVES, TEXT, FIND, GIT, INTERPRETERS, PACKAGES, COMPILERS, NETWORK, SERVICES, SYSTEM] as const;
/** Folders whose programs are the system's own. */
const SYSTEM_FOLDERS: ReadonlySet<string> = new Set(['/bin', '/usr/bin', '/sbin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin']);
const ONLY_VERSION: ReadonlySet<string> = new Set(['--version', '--help', '-version']);
/** Known for deleting, overwriting, sending: the reason says more than "unknown". */
const DESTROYS: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'shred', 'srm', 'wipe', 'mkfs', 'fdisk', 'parted', 'wipefs', 'trash']);
const PRIVILEGED: ReadonlySet<string> = new Set(['sudo', 'su', 'doas', 'pkexec', 'runuser', 'chroot', 'mount', 'umount', 'shutdown', 'reboot', 'halt', 'poweroff', 'init', 'useradd', 'userdel', 'usermod', 'passwd', 'chown', 'chgrp', 'iptables', 'nft', 'setfacl', 'insmod', 'rmmod', 'modprobe']);

/** Whether a built-in rule exists for a program. */
export function isKnownProgram(name: string): boolean {
  return ruleOf(name) !== undefined;
}

function ruleOf(name: string): ProgramRule | undefined {
  for (const table of TABLES) {
    const rule = table.get(name);
    if (rule) return rule;
  }
  return undefined;
}

/** Judges one call of a program. What no table knows is irreversible. */
export function judgeProgram(scope: Scope, state: WalkState, name: Field, args: readonly Field[], { direct = true }: { readonly direct?: boolean } = {}): Judgement {
  const text = name.text!;
  if (text === '') return stop('the program\'s name is empty', name.range);
  if (direct && state.functions.has(text)) return { effect: 'read', reason: '' };
  let program = text;
  if (text.includes('/')) {
    const at = text.lastIndexOf('/');
    if (!text.startsWith('/')) return stop('what a program at a relative path does can\'t be read from the text', name.range);
    if (!SYSTEM_FOLDERS.has(text.slice(0, at))) return stop('a program outside of the system\'s folders is not known', name.range);
    program = text.slice(at + 1);
  }
  if (reachesOut(program, args)) state.network = true;
  const own = state.options.programs;
  if (own && Object.hasOwn(own, program)) {
    try {
      const effect = own[program]!(args.map((arg) => (arg.many ? undefined : arg.text)));
      if (effect === 'read' || effect === 'write') return { effect, reason: `${program} is known to the host` };
      return stop(`${program} is irreversible by the host's rule`);
    } catch (error) {
      return stop(`the host's rule for ${program} failed: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }
  const rule = ruleOf(program);
  if (rule) return rule({ name: program, args, scope });
  const only = args.length === 1 ? args[0]?.text : undefined;
  if (only !== undefined && ONLY_VERSION.has(only) && VERSIONED.has(program)) return { effect: 'read', reason: '' };
  if (DESTROYS.has(program)) return stop(`${program} destroys what it is given`);
  if (PRIVILEGED.has(program)) return stop(`${program} changes privileged or machine-wide state`);
  return stop(`what ${program.length > 40 ? 'the program' : program} does is not known`);
}

/** Programs without a rule of their own that say their version and stop. */
const VERSIONED: ReadonlySet<string> = new Set([
  'make', 'cmake', 'ninja', 'ruby', 'perl', 'php', 'java', 'javac', 'dotnet', 'swift', 'rustup', 'deno', 'bun', 'mvn', 'gradle', 'bundle', 'gem', 'rake', 'composer', 'ffmpeg', 'convert', 'pandoc',
  'psql', 'mysql', 'redis-cli', 'mongosh', 'ssh', 'rsync', 'pytest', 'vitest', 'jest', 'webpack', 'vite', 'tsx', 'ts-node', 'rm', 'scp', 'zsh', 'fish', 'vim', 'nano', 'emacs', 'code', 'nginx', 'podman', 'helm', 'ansible', 'vagrant', 'poetry', 'uv', 'pipx', 'black', 'lua', 'julia', 'R', 'ghc', 'stack', 'elixir',
  'rmdir', 'unlink', 'shred', 'mkfs', 'chown', 'chgrp', 'shutdown', 'reboot', 'sudo', 'mount', 'umount', 'useradd', 'userdel', 'usermod', 'fdisk', 'parted', 'wipefs', 'mktemp', 'ln', 'install', 'patch', 'script', 'watch', 'parallel', 'nc', 'socat', 'systemd-run',
  'nvim', 'tldr', 'tig', 'fzf', 'hyperfine', 'lazygit', 'httpie', 'http', 'tmux', 'gdb', 'strace', 'ffplay', 'magick', 'mogrify', 'gs', 'dot', 'doxygen', 'protoc', 'swiftc', 'kotlinc', 'scala', 'sbt', 'clojure', 'lein', 'erl', 'mix', 'cabal', 'zig', 'nim', 'crystal', 'dart', 'flutter', 'ansible-playbook', 'packer', 'consul', 'vault', 'nomad', 'minikube', 'kind', 'k9s', 'skaffold', 'esbuild', 'rollup', 'parcel', 'next', 'nodemon', 'pm2', 'mocha', 'cypress', 'playwright', 'turbo', 'nx', 'lerna', 'tox', 'nox', 'pipenv', 'pdm', 'hatch', 'twine', 'sphinx-build', 'jupyter', 'mongod', 'mysqld', 'postgres', 'redis-server', 'sqlplus', 'duckdb', 'open', 'heroku', 'vercel', 'netlify', 'firebase', 'serverless', 'sam', 'cdk', 'pulumi', 'eksctl', 'direnv', 'starship', 'just', 'task', 'bazel', 'meson', 'scons', 'autoconf', 'automake', 'pkg-config', 'ccache', 'valgrind', 'pre-commit', 'semgrep', 'trivy', 'gitleaks', 'act', 'dive', 'hugo', 'jekyll', 'git-lfs', 'svn', 'hg', 'zstd', 'lz4', '7zz', 'aria2c', 'yt-dlp', 'inkscape', 'sops', 'age', 'mkcert', 'certbot', 'caddy', 'traefik', 'haproxy', 'httpd', 'apachectl', 'php-fpm', 'mitmproxy', 'nmap', 'tcpdump', 'iperf3', 'openvpn', 'wg',
]);
