import type { Field } from './types.js';

/** Programs whose work is with other machines, whatever their arguments are. */
const ALWAYS: ReadonlySet<string> = new Set([
  'curl', 'wget', 'wget2', 'aria2c', 'http', 'https', 'xh', 'axel', 'lynx', 'w3m', 'links', 'elinks', 'dig', 'drill', 'nslookup', 'host', 'whois', 'ping', 'ping6', 'fping', 'traceroute', 'tracepath', 'mtr', 'nmap', 'arp',
  'nc', 'ncat', 'netcat', 'socat', 'telnet', 'ftp', 'sftp', 'tftp', 'lftp', 'ncftp', 'ssh', 'scp', 'sshfs', 'ssh-copy-id', 'ssh-keyscan', 'mosh', 'rsync', 'rclone', 'rsh', 'rcp', 'mail', 'mailx', 'mutt', 'sendmail', 'msmtp', 'swaks', 'smbclient',
  'kubectl', 'helm', 'gh', 'glab', 'hub', 'aws', 'gcloud', 'gsutil', 'az', 'doctl', 'flyctl', 'fly', 'vercel', 'netlify', 'heroku', 'firebase', 'wrangler', 'yt-dlp', 'youtube-dl', 'speedtest', 'ntpdate', 'ipfs', 'websocat', 'grpcurl',
  'nats', 'mosquitto_pub', 'mosquitto_sub', 'psql', 'mysql', 'mysqldump', 'pg_dump', 'mongosh', 'redis-cli', 'ldapsearch', 'npx', 'pnpx', 'bunx', 'uvx', 'pipx', 'osascript', 'open', 'xdg-open',
]);

/** Programs that reach out with some subcommands only: the first of these among the words decides. */
const SOMETIMES: ReadonlyMap<string, RegExp> = new Map([
  ['git', /^(?:clone|fetch|pull|push|ls-remote|remote|submodule|lfs|svn|send-email|request-pull|fetch-pack|send-pack|http-(?:fetch|push)|p4|daemon|instaweb|maintenance|archive)$/],
  ['npm', /^(?:view|info|show|v|search|s|se|find|outdated|ping|whoami|audit|doctor|fund|diff|dist-tags?|owner|author|team|access|org|profile|token|star|stars|unstar|hook|publish|unpublish|deprecate|login|adduser|logout|install|i|in|add|ci|clean-install|install-test|it|cit|update|up|upgrade|exec|x|init|create|innit|docs|home|bugs|issues|repo)$/],
  ['yarn', /^(?:info|npm|outdated|audit|install|add|up|upgrade|upgrade-interactive|create|dlx|publish|login|logout|global|import|set|plugin)$/],
  ['pnpm', /^(?:view|info|outdated|audit|install|i|add|update|up|fetch|dlx|create|publish|login|exec|import|env|setup)$/],
  ['bun', /^(?:install|i|add|update|outdated|x|create|publish|upgrade|audit)$/],
  ['pip', /^(?:install|download|index|search|wheel|list|check)$/], ['pip3', /^(?:install|download|index|search|wheel)$/],
  ['uv', /^(?:add|sync|lock|pip|tool|run|python|publish|self)$/], ['poetry', /^(?:add|install|update|lock|publish|search|self)$/], ['conda', /^(?:install|create|update|search|env)$/],
  ['cargo', /^(?:search|info|install|add|update|fetch|publish|login|owner|yank|build|b|check|c|test|t|run|r|tree|metadata|generate-lockfile|vendor)$/],
  ['go', /^(?:get|install|mod|list|build|run|test|vet|generate|work)$/],
  ['gem', /^(?:install|update|search|fetch|outdated|push|info|list)$/], ['bundle', /^(?:install|update|add|outdated)$/], ['composer', /^(?:install|require|update|outdated|search|show|create-project)$/],
  ['brew', /^(?:install|upgrade|update|fetch|search|info|outdated|tap|bundle)$/], ['apt', /^(?:update|install|upgrade|full-upgrade|download|source|changelog|build-dep)$/], ['apt-get', /^(?:update|install|upgrade|dist-upgrade|download|source|changelog|build-dep)$/],
  ['dnf', /^(?!history|list$)[a-z]/], ['yum', /^[a-z]/], ['apk', /^(?:add|update|upgrade|fetch|search)$/], ['pacman', /^-S/], ['snap', /^(?:install|find|info|refresh|download)$/], ['flatpak', /^(?:install|update|search|remote-.*)$/],
  ['docker', /^(?:pull|push|search|login|logout|run|build|buildx|compose|manifest|swarm|node|service|stack|create)$/], ['podman', /^(?:pull|push|search|login|run|build|create)$/], ['docker-compose', /^(?:pull|push|up|build|run)$/],
  ['openssl', /^(?:s_client|s_server|s_time|ocsp|ts)$/], ['rustup', /^(?:update|install|toolchain|target|component|self|check)$/], ['terraform', /^(?:init|plan|apply|destroy|refresh|import|get|login|providers)$/],
  ['mvn', /./], ['gradle', /./], ['gpg', /^--(?:recv-keys?|send-keys|search-keys|refresh-keys|keyserver|fetch-keys|locate-keys)/], ['deno', /^(?:install|add|run|cache|publish|upgrade|info|https?:)/],
]);

/** Words that stand for the network where a command can't be walked. */
const WORDS = new RegExp(`(?:^|[^\\w.-])(?:${[...ALWAYS, 'git', 'npm', 'pip3?', 'docker'].join('|')})(?![\\w-])|/dev/(?:tcp|udp)/|https?://`);

/** Whether a call of a program reaches another machine, as far as its words tell. What can't be read counts as yes. */
export function reachesOut(program: string, args: readonly Field[]): boolean {
  if (ALWAYS.has(program)) return !(args.length === 1 && /^(?:--version|--help|-V)$/.test(args[0]?.text ?? ''));
  const subcommands = SOMETIMES.get(program);
  if (!subcommands) return false;
  const words = program === 'git' ? args.filter((_, index) => !TAKES_VALUE.test(args[index - 1]?.text ?? '')) : args;
  // An option may have taken the first word for its value, so the second counts too.
  const [first, second] = words.filter(({ text }) => text === undefined || !text.startsWith('-'));
  const options = words.filter(({ text }) => text?.startsWith('-'));
  return [first, ...(program === 'git' ? [] : [second]), ...options].some((word) => word !== undefined && (word.text === undefined || subcommands.test(word.text)));
}

/** Options of git that stand before the subcommand. */
const TAKES_VALUE = /^(?:-[Cc]|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/;

/** The same by the words alone. */
export function namesNetwork(command: unknown): boolean {
  return typeof command === 'string' && WORDS.test(command);
}
