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
  ['ssh-keygen', rule('-l', '-lf', '-F')], ['ssh-add', rule('-l$', '-L$')], ['gpg', rule('--list-keys', '-k$', '--list-secret-keys', '-K$', '--verify', '--fingerprint')],
  ['npm-check-updates', rule('$')], ['update-alternatives', rule('--list', '--display', '--query')], ['numactl', rule('-H$', '--hardware$')], ['swapon', rule('--show', '-s$')], ['mount', rule('$', '-l$')], ['chsh', rule('-l$')], ['ufw', rule('status')], ['fc-cache', rule('--version')],
  ['zfs', rule('list', 'get')], ['zpool', rule('list', 'status')], ['btrfs', rule('filesystem (?:show|df|usage)')], ['trash-list', rule('$')],
]);
