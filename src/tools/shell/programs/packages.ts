import { READ, stop } from '../judgement.js';
import type { Field, ProgramRule, ProgramTable } from '../types.js';
import { phrases } from './phrases.js';

const RUNS = 'the scripts it runs or installs can\'t be read from the text';
const INSTALLS = 'it installs, removes or runs what can\'t be read from the text';

const npm = phrases([
  '-v', 'ls', 'list', 'la', 'll', 'view', 'info', 'show', 'v', 'outdated', 'root', 'prefix', 'bin', 'ping', 'whoami', 'explain', 'why', 'fund', 'search', 'help', 'doctor', 'config get', 'config list', 'config ls', 'get', 'pkg get',
  '(?:run|run-script)(?: --silent| --json| -s)*$', 'audit(?: (?:--json|--omit=\\w+|--production|--audit-level=\\w+|signatures))*$', 'pack --dry-run --ignore-scripts(?: --json)?$', 'pack --ignore-scripts --dry-run(?: --json)?$', 'dist-tag ls', 'owner ls', 'team ls', 'cache ls', 'query', 'sbom', 'diff',
], { refuse: /^--(?:prefix|userconfig|globalconfig|script-shell|node-options|editor|viewer|registry|cache|git)(?:=|$)/, otherwise: RUNS, help: true });

const yarn = phrases(['-v', 'list', 'info', 'why', 'outdated', 'audit$', 'config list', 'config get', 'versions', 'bin', 'workspaces info', 'workspaces list', 'licenses list', 'npm info', 'global list'], { refuse: /^--(?:cwd|use-yarnrc|registry)/, otherwise: RUNS });
const pnpm = phrases(['-v', 'ls', 'list', 'll', 'la', 'why', 'outdated', 'audit$', 'view', 'info', 'root', 'bin', 'licenses list', 'config list', 'config get', 'store path', 'store status'], { refuse: /^--(?:dir|registry|script-shell|shell-emulator)/, otherwise: RUNS });
const bun = phrases(['-v', '--revision', 'pm ls', 'pm bin', 'pm cache$', 'outdated', 'why'], { otherwise: RUNS });

/** Only checkers that have a rule of their own, which then says what they may do. */
const npx: ProgramRule = ({ args, scope }) => {
  const rest = args.filter((arg, index) => !(/^(?:--no-install|--no|--yes|-y|--)$/.test(arg.text ?? '') && index < 2));
  if (args.length === 1 && /^(?:-v|--version|-h|--help)$/.test(args[0]?.text ?? '')) return READ;
  return /^(?:tsc|eslint|prettier|cspell|markdownlint|depcheck|madge|cloc|knip|biome|stylelint)$/.test(rest[0]?.text ?? '') ? scope.run(rest) : stop(RUNS);
};

const pip = phrases(['-V', 'list', 'show', 'freeze', 'check', 'index versions', 'config list', 'config get', 'debug', 'inspect', 'cache (?:list|info|dir)', 'hash'], { refuse: /^--(?:log|python|prefix|target|proxy|index-url|extra-index-url|user-agent|report)(?:=|$)/, otherwise: INSTALLS, help: true });
const cargo = phrases(['-V', '--list', 'tree', 'metadata', 'search', 'pkgid', 'locate-project', 'read-manifest', 'verify-project', 'fmt (?:--all )?(?:-- )?--check', 'version', 'info', 'help'], { refuse: /^(?:--config|-Z|\+)/, otherwise: INSTALLS });
const go = phrases(['version', 'env(?: (?:-json|[A-Z_0-9]+))*$', 'list', 'vet', 'doc', 'help', 'mod graph', 'mod why', 'mod verify', 'tool dist list', 'build (?:-v )?\\./\\.\\.\\.$'], { refuse: /^--?(?:w|u|vettool|toolexec|overlay|modfile|exec|mod|export|o|C)(?:=|$)/, otherwise: INSTALLS });
const rustc = phrases(['-V', '--print [\\w-]+$', '--explain', '-vV'], { otherwise: INSTALLS });
const brew = phrases(['list', 'ls', 'info', 'search', 'outdated', 'deps', 'uses', 'leaves', 'config', 'doctor', 'desc', '--prefix', '--cellar', '--cache', '--repository', 'services list', 'cat', 'log', 'tap$', 'tap-info'], { otherwise: INSTALLS, help: true });
const apt = phrases(['list', 'show', 'search', 'policy', 'depends', 'rdepends', 'madison', 'changelog', 'stats', 'pkgnames', '-s', '--simulate', '--dry-run', '(?:install|remove|purge|upgrade|dist-upgrade|full-upgrade|autoremove) (?:(?:-y|-q+|--yes|[a-z0-9][\\w.+:=~-]*) )*(?:-s|--simulate|--dry-run)$', 'showpkg', 'showsrc'], { refuse: /^-[a-zA-Z]*[oc]|^--(?:option|config-file|no-)|=(?:no|false|0|off|without)/, otherwise: INSTALLS, help: true });
const dpkg = phrases(['-[lLsSp]', '--list', '--listfiles', '--status', '--search', '--get-selections', '--print-architecture', '--version', '-I', '--info', '-c', '--contents', '-f'], { refuse: /^--(?:root|admindir|instdir|pre-invoke|post-invoke)/, otherwise: INSTALLS });
const rpm = phrases(['-q[a-z]*', '--query', '-V[a-z]*', '--verify'], { refuse: /^--(?:pipe|define|eval|root|load|rcfile|import|rebuilddb|initdb|setperms|setugids)|^-E|:expand/, otherwise: INSTALLS });
const dnf = phrases(['list', 'info', 'search', 'repolist', 'provides', 'repoquery', 'check-update', 'history(?: list)?$', 'deplist'], { refuse: /^--(?:seto|config|plugin|installroot|disableplugin|enableplugin)|^-c/, otherwise: INSTALLS });
const lists = (...patterns: string[]): ProgramRule => phrases(patterns, { otherwise: INSTALLS });

function isPlain(arg: Field): boolean {
  return arg.text !== undefined || !arg.dash;
}
const snap: ProgramRule = (call) => (call.args.every(isPlain) ? lists('list', 'info', 'find', 'version', 'connections', 'changes')(call) : stop(INSTALLS));

/** Package managers: they list and look up unasked. */
export const PACKAGES: ProgramTable = new Map<string, ProgramRule>([
  ['npm', npm], ['yarn', yarn], ['pnpm', pnpm], ['bun', bun], ['npx', npx], ['pip', pip], ['pip3', pip], ['cargo', cargo], ['go', go], ['rustc', rustc], ['brew', brew], ['apt', apt], ['apt-cache', apt], ['apt-get', apt], ['dpkg', dpkg], ['dpkg-query', dpkg],
  ['rpm', rpm], ['dnf', dnf], ['yum', dnf], ['snap', snap], ['pacman', lists('-Q[a-z]*', '-Ss', '-Si')], ['apk', lists('list', 'info', 'search')], ['gem', lists('list', 'search', 'info', 'environment', 'env', 'outdated', 'contents', 'which')],
  ['rustup', lists('show', 'which', 'toolchain list', 'target list', 'component list', 'check')], ['conda', lists('list', 'info', 'search', 'env list')], ['poetry', lists('show', 'check', 'env info', 'env list', 'version$')],
  ['uv', lists('pip list', 'pip show', 'pip freeze', 'tree --frozen', 'python list')], ['nvm', lists('ls', 'list', 'current', 'which')], ['flatpak', lists('list', 'info', 'search', 'remotes')], ['composer', lists('show', 'outdated', 'licenses', 'validate --no-plugins')],
  ['pyenv', lists('versions?$', 'which', 'prefix', 'root$', 'global$', 'local$')], ['rbenv', lists('versions?$', 'which', 'prefix', 'root$', 'global$', 'local$')], ['mvn', lists('-v$')],
  ['mise', lists('ls', 'current')], ['asdf', lists('list', 'current', 'which')], ['corepack', lists('--version')], ['flutter', lists('--version', 'doctor')], ['dotnet', lists('--info', '--list-sdks', '--list-runtimes', 'list')],
]);
