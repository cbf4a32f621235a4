import { READ, gravest, shown, stop } from '../judgement.js';
import { optionTable, parseOptions, refused, type OptionTable } from '../options.js';
import type { ProgramRule, ProgramTable } from '../types.js';

/** Programs that only read and print, whatever their arguments. */
const FREE = `cat tac wc head tail ls dir vdir stat du df basename dirname realpath readlink cut tr paste join comm nl rev fold fmt expand unexpand column colrm od hexdump hd strings
cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum md5 cmp diff colordiff grep egrep fgrep zgrep zegrep zfgrep seq expr factor numfmt nproc uname whoami id groups users
who w uptime free ps pgrep pidof pstree printenv locale cal hostid logname sleep true false tty getconf lsblk lscpu lsusb lspci lsmod vmstat iostat mpstat jq zcat gzcat bzcat xzcat look tsort
pathchk base32 basenc sw_vers mdfind pbpaste size readelf tokei xxhsum yes errno clear locate plocate mlocate lsattr getfacl vm_stat figlet toilet lolcat fortune pr zdiff zcmp bzgrep xzgrep lsb_release findmnt
fc-list glxinfo ncal which whereis whatis apropos namei getent acpi crc32 uuidgen mcookie bc last`.split(/\s+/);

/** Programs that read as long as they get only these options. */
const BY_OPTIONS: readonly (readonly [names: string, options: string, operands?: number])[] = [
  ['date', 'uRI? d: f: r: j v: --utc --universal --iso-8601? --rfc-3339= --rfc-email --date= --reference= --file= --help --version'],
  ['hostname', 'fsiIdA --fqdn --short --version', 0],
  ['tree', 'adfilxqQNpugshDFrtUvCnJX L: P: I: --dirsfirst --noreport --filelimit= --du --prune --gitignore --version --help --charset= --sort= --si --inodes'],
  ['sort', 'o: --output= bdfghiMnRrVcCmsuz k: t: S: --numeric-sort --reverse --unique --key= --field-separator= --human-numeric-sort --version-sort --ignore-case --month-sort --general-numeric-sort --check? --stable --random-sort --sort= --parallel= --zero-terminated --ignore-leading-blanks --dictionary-order --debug --merge --help --version'],
  ['shuf', 'ezr i: n: --echo --input-range= --head-count= --repeat --zero-terminated --help --version'],
  ['file', 'bikhLnNprsz0 F: f: P: e: --mime --mime-type --mime-encoding --brief --dereference --extension --keep-going --version --help --separator='],
  ['man', 'fkwaW --version --help --where --path --what-is --apropos'],
  ['top', 'bciHSs1 n: d: p: u: o: l: w? --version'],
  ['dmesg', 'HTtkLrxeu l: f: --human --ctime --level= --facility= --decode --kernel --reltime --notime --json --color? --version --help'],
  ['ss', 'hVnraloempiTstu460xwzS f: A: H'],
  ['netstat', 'aectlnNopruWvwxsigM46 --all --numeric --tcp --udp --listening --program --route --interfaces --statistics f: I:'],
  ['ifconfig', 'a', 1],
  ['arch', '--help --version', 0],
  ['cloc', '--by-file --by-file-by-lang --json --csv --md --yaml --quiet --hide-rate --sum-one --exclude-dir= --include-lang= --exclude-lang= --exclude-ext= --include-ext= --version --help'],
  ['scc', 'awcp f: s: i: --by-file --wide --no-complexity --no-cocomo --no-duplicates --ci --format= --sort= --include-ext= --exclude-dir= --version --help'],
  ['info', 'w --where --version --help'],
  ['compgen', 'abcdefgjksuv A:'],
  ['hwclock', 'r --show --version'],
  ['tput', 'T:', 3],
  ['stty', 'a --all', 0],
  ['journalctl', 'aebfxqrkmN u: n: p: t: S: U: o: g: b? --no-pager --since= --until= --unit= --lines= --priority= --grep= --output= --boot? --reverse --follow --dmesg --user --system --disk-usage --list-boots --catalog --quiet --all --utc --no-hostname --user-unit= --identifier= --version --help'],
  ['history', '', 1],
  ['objdump', 'afphxdDSsgeGtTrRCw j: M: m: b: --all-headers --disassemble --syms --section-headers --no-show-raw-insn --help --version'],
  ['otool', 'afhlLtdDSVvXrRIHGM'],
  ['xmllint', 'c --noout --format --xpath= --valid --version --nonet --huge --html --recover --compact'],
  ['yq', 'rceMCNPy0jo: p: I: --raw-output --compact-output --no-colors --colors --output-format= --input-format= --prettyPrint --no-doc --exit-status --null-input --indent= --version --help --tojson'],
  ['bat', 'nAp r: l: H: --plain --number --line-range= --language= --style= --color= --paging=never --list-themes --list-languages --theme= --version --help'],
  ['batcat', 'nAp r: l: H: --plain --number --line-range= --language= --style= --color= --version --help'],
  ['eza', 'laLTRFhrs: 1dDgimSUHBbxG --tree --level= --long --all --git --icons? --color? --sort= --header --git-ignore --no-user --no-permissions --version --help --reverse --grid'],
  ['exa', 'laTRFhr1dDgimSUHBbx L: s: --tree --level= --long --all --git --icons --color= --sort= --header --git-ignore --version --help'],
];

/** Programs with countless harmless options: only those that run or write something are refused, however abbreviated. */
const EXCEPT: readonly (readonly [name: string, refused: RegExp])[] = [
  ['rg', /^--(?:pre|hostname-bin|search-zip|generate)(?!-glob)|^-[a-zA-Z]*z/],
  ['ag', /^--(?:pag|search-z)|^-[a-zA-Z]*z/],
  ['ack', /^--(?:pag|ackr|ou|create|env)/],
  // Each writes a file, loads a plug-in, runs a program or changes a setting with one of its options.
  ['base64', /^-[a-zA-Z]*o|^--ou/], ['nm', /^--pl/], ['sdiff', /^-[a-zA-Z]*o|^--[od]/], ['diff3', /^--d/], ['ptx', /^-[a-zA-Z]*G|^--t/], ['dmidecode', /^--dump-/], ['sensors', /^-[a-zA-Z]*s|^--s/], ['mdls', /^-p/], ['lastlog', /^-[a-zA-Z]*[CSR]|^--[csr]/],
  ['lz4cat', /^--r/], ['zstdcat', /^-[a-zA-Z0-9]*o|^--(?:rm|o|tra)/], ['jo', /^-[a-zA-Z]*o/], ['lsof', /^-[?abChlnNOPtUvVwX]*D/], ['blkid', /^-[a-zA-Z]*[gw]|^--(?:g|w)/],
];

/** Programs of which any word may name something that runs or writes. */
const ANY_WORD: readonly (readonly [name: string, refused: RegExp])[] = [
  ['ffprobe', /^-(?:o$|report|dump)|lavfi/], ['identify', /^[a-zA-Z][\w-]*:|^@|^-(?:write|process|set|define|script|list)/], ['exiftool', /=|^-(?:@|o|w|W|p|if|tagsFromFile|overwrite|delete|restore|execute|config|stay|geo|addTags|use|api|userParam|efile|srcfile|file|fast0|echo|diff)|^-[a-z]\w*<|[<>]/i],
];

function byOptions(table: OptionTable, most: number): ProgramRule {
  return ({ args }) => {
    const parsed = parseOptions(args, table);
    if (refused(parsed)) return parsed;
    const extra = parsed.operands[most] ?? parsed.operands.find((operand) => operand.many && most < 9);
    return extra && parsed.operands.length + (extra.many ? 9 : 0) > most ? stop(`${shown(extra)} would be written or set`, extra.range) : READ;
  };
}

const PAGER = optionTable('eEFgiIMmNnqQRrSsXVdflcu x: p: n: --version --help --quit-if-one-screen --no-init');

/** `less +!command` runs a command. */
const pager: ProgramRule = ({ args }) => {
  const start = args.find((arg) => arg.prefix.startsWith('+') && !/^\+(?:\d+|F|G)$/.test(arg.text ?? ''));
  if (start) return stop(`${shown(start)} may run a command`, start.range);
  const parsed = parseOptions(args, PAGER);
  return refused(parsed) ? parsed : READ;
};

const SORT = optionTable(BY_OPTIONS.find(([name]) => name === 'sort')![1]);
const sort: ProgramRule = ({ args, scope }) => {
  const parsed = parseOptions(args, SORT);
  if (refused(parsed)) return parsed;
  const outputs = [parsed.options.get('-o'), parsed.options.get('--output')].filter((field) => field !== undefined && field !== true);
  return gravest(outputs.map((output) => scope.target(output, 'content')));
};

/** `date +%F` prints, `date 0101…` sets. */
const date: ProgramRule = ({ args }) => {
  const parsed = parseOptions(args, optionTable(BY_OPTIONS[0]![1]));
  if (refused(parsed)) return parsed;
  const setting = parsed.operands.find((operand) => !operand.prefix.startsWith('+'));
  return setting && !parsed.options.has('-j') ? stop('it may set the clock', setting.range) : READ;
};

function except(pattern: RegExp): ProgramRule {
  return ({ args }) => {
    for (const field of args) {
      if (field.text === '--') break;
      if (!field.dash) continue;
      if (field.prefix === '') return stop('an argument that can\'t be read could be an option', field.range);
      if (pattern.test(field.prefix) || (field.text === undefined && !/^--?[\w-]+=|^-[a-zA-Z]\S/.test(field.prefix))) return stop(`option ${shown(field)} is not known to be harmless`, field.range);
    }
    return READ;
  };
}

function anyWord(pattern: RegExp): ProgramRule {
  return ({ args }) => {
    const bad = args.find((arg) => (arg.text === undefined ? arg.dash || arg.many || arg.prefix === '' : pattern.test(arg.text)));
    return bad ? stop(`${shown(bad)} is not known to be harmless`, bad.range) : READ;
  };
}

/** With a second name that one is written. */
function withOutput(options: string, output?: string): ProgramRule {
  const table = optionTable(options);
  return ({ args, scope }) => {
    const parsed = parseOptions(args, table);
    if (refused(parsed)) return parsed;
    const { operands } = parsed;
    const given = output === undefined ? operands[1] : parsed.options.get(output);
    if (output === undefined && (operands.length > 2 || operands.some((operand) => operand.many))) return stop('what it writes can\'t be read from the text', operands.at(-1)?.range);
    return given === undefined || given === true ? READ : scope.target(given, 'content');
  };
}

/** Programs that read. */
export const READERS: ProgramTable = new Map<string, ProgramRule>([
  ...FREE.map((name) => [name, () => READ] as const),
  ...BY_OPTIONS.map(([name, options, most = Infinity]) => [name, byOptions(optionTable(options), most)] as const),
  ...ANY_WORD.map(([name, pattern]) => [name, anyWord(pattern)] as const),
  ...EXCEPT.map(([name, pattern]) => [name, except(pattern)] as const),
  ['xxd', withOutput('abeEipurC c: g: l: s: o: --version')],
  ['uniq', withOutput('cdDuiz f: s: w: --count --repeated --unique --ignore-case --skip-fields= --skip-chars= --check-chars= --all-repeated? --group? --zero-terminated --help --version')],
  ['iconv', withOutput('lcs f: t: o: --list --from-code= --to-code= --silent --version --help', '-o')],
  ['date', date], ['sort', sort], ['gsort', sort], ['less', pager], ['more', pager],
]);
