import type { ProgramRule, ProgramTable } from '../types.js';
import { phrases } from './phrases.js';

const CHANGES = 'it may change the machine\'s settings';
const rule = (...patterns: string[]): ProgramRule => phrases(patterns, { otherwise: CHANGES });

/** Programs that show the machine's settings with some arguments and change them with others. */
export const SYSTEM: ProgramTable = new Map<string, ProgramRule>([
  ['ip', rule('(?:(?:-br|-brief|-4|-6|-j|-c|-s|-o|-details) )*(?:a|addr|address|link|l|route|r|neigh|n|rule|netns)(?: (?:show|list|ls|get)(?: [\\w.:/-]+)*)?$')],
  ['sysctl', phrases(['-a', '-n [\\w.]+$', '[a-z][\\w.]*$'], { refuse: /=|^-w|^--write|^-p|^--system|^--load/, otherwise: CHANGES })],
  ['timedatectl', rule('$', 'status$', 'show', 'list-timezones')], ['hostnamectl', rule('$', 'status$')], ['localectl', rule('$', 'status$')], ['loginctl', rule('$', 'list-sessions', 'show-session', 'session-status')],
  ['defaults', rule('read', 'domains$', 'find')], ['diskutil', rule('list', 'info')], ['xcode-select', rule('-p$', '--print-path$', '-v$')], ['xcodebuild', rule('-version', '-list', '-showsdks')], ['scutil', rule('--get', '--dns$', '--proxy$')], ['pmset', rule('-g')], ['system_profiler', rule('SP\\w+', '-listDataTypes')],
  ['ssh-keygen', rule('(?:-l |-lf |-l -f |-lvf |-E \\w+ |-f )+[\\w./~][\\w./~-]*$', '-F [\\w.:[\\]]+(?: -f [\\w./~-]+)?$', '-y -f [\\w./~-]+$')], ['ssh', rule('-V$')], ['ssh-add', rule('-l$', '-L$')], ['gpg', rule('(?:--list-keys|--list-secret-keys|--list-sigs|-k|-K|--verify|--fingerprint)(?: (?:--keyid-format(?: |=)\\w+|--with-colons|[\\w./@~<][\\w./@~<>-]*))*$')],
  ['npm-check-updates', rule('$')], ['update-alternatives', rule('--list', '--display', '--query')], ['numactl', rule('-H$', '--hardware$')], ['swapon', rule('--show', '-s$')], ['mount', rule('$', '-l$')], ['chsh', rule('-l$')], ['ufw', rule('status')], ['fc-cache', rule('--version')],
  ['zfs', rule('list', 'get')], ['zpool', phrases(['list', 'status', 'get', 'iostat -\\w+$'], { refuse: /^-[a-zA-Z]*c/, otherwise: CHANGES })],
  ['route', rule('$', '-n$', '-e+n?$')], ['arp', rule('$', '-a$', '-n$', '-an$', '-e$')], ['fdisk', rule('-l(?: /dev/\\w+)*$')], ['sfdisk', rule('(?:-l|-d|--list|--dump)(?: /dev/\\w+)*$')], ['parted', rule('-l$', '-lm$')],
  ['iptables', rule('(?:-t \\w+ )?(?:-n?v?L|-L|-S|--list|--list-rules|-vnL)(?: (?:[A-Z]+|-n|-v|-x|-nv|-vn|--line-numbers|--numeric|--verbose))*$')], ['nft', rule('(?:-\\w )?list (?:ruleset|tables|chains|sets|table|chain)')],
  ['passwd', rule('-S(?: [\\w-]+)?$', '--status(?: [\\w-]+)?$')], ['chage', rule('-l [\\w-]+$')], ['mdadm', rule('(?:--detail|-D|--examine|-E|--detail --scan|--examine --scan)(?: /dev/\\w+)*$')],
  ...['lvs', 'vgs', 'pvs', 'lvdisplay', 'vgdisplay', 'pvdisplay', 'lvscan'].map((name): [string, ProgramRule] => [name, phrases(['.*'], { refuse: /^--(?:config|devicesfile|driverloaded)/, otherwise: CHANGES })]),
  ['kill', rule('-l(?: \\w+)?$', '-L$', '-0(?: \\d+)+$')], ['nvidia-smi', rule('$', '-L$', '-q$', '(?:--query-(?:gpu|compute-apps)=[\\w.,]+|--format=[\\w,]+|-l ?\\d+| )+$')], ['btrfs', rule('filesystem (?:show|df|usage)')], ['trash-list', rule('$')],
]);
