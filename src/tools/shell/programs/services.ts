import type { ProgramRule, ProgramTable } from '../types.js';
import { phrases } from './phrases.js';

const CHANGES = 'it may change services, containers or other machines';

const rule = (patterns: readonly string[], refuse?: RegExp): ProgramRule => phrases(patterns, { otherwise: CHANGES, help: true, ...(refuse ? { refuse } : {}) });

const DOCKER = ['ps', 'images', 'logs', 'inspect', 'version', 'info', 'stats --no-stream', 'top', 'port', 'diff', 'history', 'search', 'events --since', 'container ls', 'container list', 'container inspect', 'container logs', 'image ls', 'image list', 'image inspect', 'image history', 'volume ls', 'volume inspect', 'network ls', 'network inspect',
  'system df', 'system info', 'context ls', 'context show', 'compose (?:-f [\\w./-]+ )?(?:ps|logs|config|images|top|ls|version)', 'manifest inspect', 'node ls', 'service ls', 'service ps', 'stack ls', 'buildx ls', 'buildx version'];
const KUBECTL = ['(?:(?:-n|--namespace|--context) [\\w-]+ )?(?:get|describe|logs|version|explain|api-resources|api-versions|top|cluster-info|config (?:view|get-contexts|current-context|get-clusters)|auth can-i|rollout (?:status|history)|diff)',
  '(?:(?:-n|--namespace|--context) [\\w-]+ )?(?:apply|create|delete|scale|label|annotate|expose) (?:WORD )*--dry-run=client(?: WORD)*$'.replaceAll('WORD', '(?:(?:-[fkln] )?[\\w./:][\\w./=:-]*|--(?!dry)[\\w-]+=[\\w./=:,-]+|-[RAo]\\w*|--all|--all-namespaces|--recursive)')];
const GH = ['(?:pr|issue|run|release|repo|workflow|gist|label|secret|variable|cache|ruleset|project) (?:list|view|ls)', 'pr (?:status|diff|checks)', 'issue status', 'auth status', 'search', 'status', 'api(?! graphql)', 'browse --no-browser', 'config (?:get|list)', 'extension list', 'alias list', 'org list', 'run watch'];
/** Options that turn a reading call of gh or of a cloud into a sending one. */
const SENDING = /^(?:-[a-zA-Z]*[XFfw]|--method|--field|--raw-field|--input|--web)/;

/** Programs that talk to services: only the subcommands that read. */
export const SERVICES: ProgramTable = new Map<string, ProgramRule>([
  ['docker', rule(DOCKER, /^-[a-zA-Z]*[oH]|^--(?:host|config|output)(?:=|$)/)], ['podman', rule(DOCKER, /^-[a-zA-Z]*o|^--(?:url|connection|output|module|hooks-dir|log-)/)], ['docker-compose', rule(['(?:-f [\\w./-]+ )?(?:ps|logs|config|images|top|version)'], /^-[a-zA-Z]*o|^--output/)],
  ['kubectl', rule(KUBECTL, /^--(?:kubeconfig|raw|server|prune|output-d|profile|cache-dir|edit|token|dry-run=(?!client$))/)], ['helm', rule(['list', 'ls', 'status', 'history', 'get', 'show', 'template', 'lint', 'search', 'repo list', 'version', 'env'], /^--(?:post-renderer|output-dir|kubeconfig)/)],
  ['terraform', rule(['version', 'show', 'validate', 'output', 'state list', 'state show', 'fmt -check', 'providers$', 'graph', 'plan', 'workspace list', 'workspace show'], /^--?(?:out|chdir|write|generate-config-out)(?:=|$)/)],
  ['gh', rule(GH, SENDING)], ['glab', rule(['(?:mr|issue|repo|ci) (?:list|view)', 'auth status'], SENDING)],
  ['aws', rule(['--version', 's3 ls', 'sts get-caller-identity', 'configure list', 's3 (?:rm|cp|mv|sync)(?: (?:--recursive|--delete|--quiet|[\\w./:*][\\w./:*-]*))* --dryrun', 'logs tail', '[a-z0-9-]+ (?:describe|list)-[a-z0-9-]+'], /^--(?:no-dry|endpoint-url|cli-input|ca-bundle|no-verify)/)],
  ['gcloud', rule(['version', 'info', 'config list', 'auth list', '[a-z-]+ (?:[a-z-]+ )?(?:list|describe)'])], ['az', rule(['version', 'account (?:show|list)', '[a-z-]+ (?:[a-z-]+ )?(?:list|show)'])],
  ['systemctl', rule(['status', 'is-active', 'is-enabled', 'is-failed', 'list-units', 'list-unit-files', 'list-timers', 'list-sockets', 'list-dependencies', 'show', 'cat', '--failed', '--user (?:status|list-units|is-active|show)', 'get-default', '$'], /^(?:-H|--host|-M)/)],
  ['service', rule(['--status-all', '[\\w-]+ status$'])], ['launchctl', rule(['list', 'print'])], ['crontab', rule(['-l$', '-l -u [\\w-]+$', '-u [\\w-]+ -l$'])], ['gsutil', rule(['ls', 'du', 'stat', 'version$'])], ['tmux', rule(['ls$', 'list-sessions$', '-V$'])], ['screen', rule(['-ls$', '-list$', '-v$'])], ['atq', rule(['$'])],
  ['pm2', rule(['list', 'ls', 'status', 'show', 'logs --nostream'])], ['supervisorctl', rule(['status'])], ['redis-cli', rule(['(?:ping|PING|info|INFO|dbsize|DBSIZE|get [\\w:.-]+|GET [\\w:.-]+|keys [\\w:.*-]+|KEYS [\\w:.*-]+|ttl [\\w:.-]+)$'])],
]);
