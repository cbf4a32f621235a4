import { describe, expect, it, test } from 'vitest';
import { analyzeShell } from '../../src/entries/tools.js';
import { CWD, FILES, OPTIONS, effectOf } from './support.js';

const all = (effect: string, commands: readonly string[]) => it.each(commands)(`%s is ${effect}`, (command) => expect(effectOf(command)).toBe(effect));

describe('1: what can\'t be parsed is irreversible', () => {
  all('irreversible', ['ls "', 'ls $(', 'if true', 'echo `', '(ls', 'ls )', 'echo $(if)', 'bash -c "ls )"', 'eval "if"', 'ls;; ls', 'cat <<E', 'ls\r', 'ls \u0007', 'l\u0000s', '\u001b[31m', 'ls \ud800', 'echo !(a)']);
  it('more than 20 KB is irreversible, whatever it says', () => expect([effectOf(`ls ${'a'.repeat(19_990)}`), effectOf(`ls ${'a'.repeat(20_000)}`)]).toEqual(['read', 'irreversible']));
  it('too deep is irreversible', () => {
    const nested = (depth: number): string => `echo ${'$(echo '.repeat(depth)}x${')'.repeat(depth)}`;
    expect([effectOf(nested(5)), effectOf(nested(200))]).toEqual(['read', 'irreversible']);
  });
  it('control characters inside quotes are text', () => expect(effectOf("echo '\u0007'")).toBe('read'));
});

describe('2: every simple command is looked at', () => {
  const HOLES = ['%', 'ls; %', 'ls | %', 'ls && %', 'ls || %', '! %', '% &', '(%)', '{ %; }', 'if %; then ls; fi', 'if ls; then %; else ls; fi', 'if ls; then ls; elif %; then ls; fi', 'while %; do ls; done', 'until ls; do %; done', 'for f in a; do %; done',
    'for ((i=0;i<2;i++)); do %; done', 'select x in a; do %; done', 'case x in x) %;; esac', 'f() { %; }; f', 'coproc %', 'echo $(%)', 'echo `%`', 'echo "$(%)"', 'cat <(%)', 'ls > >(%)', 'cat <<E\n$(%)\nE', 'cat <<< "$(%)"', 'x=$(%)', 'x=($(%))', 'echo ${x:-$(%)}', 'echo "${x/$(%)/}"',
    'echo $((1+$(%)))', '[[ -n $(%) ]]', 'case $(%) in x) ls;; esac', 'for f in $(%); do ls; done', 'ls > $(%)', 'time %', 'A=$(%) ls', 'env %', 'env A=1 %', 'command %', 'exec %', 'nice -n 3 %', 'timeout 5 %', 'nohup %', 'setsid %', 'stdbuf -oL %', 'flock /tmp/l %', 'xargs %', 'find . -exec % \\;',
    "sh -c '%'", 'bash -c "%"', "eval '%'", "trap '%' EXIT", "bash -c 'eval \"%\"'"];
  it.each(HOLES)('rm in: %s', (hole) => expect(effectOf(hole.replace('%', 'rm a.txt'))).toBe('irreversible'));
  it.each(HOLES.filter((hole) => !/coproc|ls > \$|\$\(\(/.test(hole)))('echo in: %s', (hole) => expect(effectOf(hole.replace('%', 'echo a.txt'))).not.toBe('irreversible'));
  all('irreversible', ['env -S "ls"', 'script -c ls', 'watch ls', 'parallel ls', 'ssh host ls', '$x', '"$x" a', 'r$x a', '$(echo ls)', './ls', 'bin/ls', '../ls', '/tmp/ls', 'alias l=ls', 'unknown-thing', 'source x', '. x', 'bash x.sh', 'ls | bash', 'npm test', 'make', 'node x.js', 'sudo ls']);
  all('read', ['/bin/ls', '/usr/bin/env ls', "'ls'", '\\ls', 'l"s"', "$'ls'"]);
});

describe('3: redirections and readers that write', () => {
  all('read', ['ls > /dev/null', 'ls 2>&1', 'ls >&2', 'ls 2>&-', 'ls &> /dev/null', 'ls < a.txt', 'ls > /dev/stderr', 'exec 2>&1']);
  all('write', ['ls > new', 'ls >> new', 'ls 2> new', 'ls &> new', 'ls >| new', 'ls <> new', 'ls >& new', 'ls > src/new', `ls > ${CWD}/new`, 'ls > /tmp/new', 'ls > ~/new', 'f=new; ls > "$f.txt"']);
  all('irreversible', ['ls > a.txt', 'ls >> a.txt', 'ls 2> a.txt', 'ls &> a.txt', 'ls >| a.txt', 'ls <> a.txt', 'ls >& a.txt', 'ls > ./a.txt', 'ls > src/../a.txt', `ls > ${CWD}/a.txt`, 'ls > $x', 'ls > *.txt', 'ls > ../new', 'ls > /etc/new', 'ls > ~/.new', 'ls > ~other/new', 'ls > .git/new', 'ls > -n',
    'cat < /dev/tcp/h/1', 'sort -o a.txt b.txt', 'sed -i s/a/b/ a.txt', 'sed "w a.txt" b.txt', 'uniq a.txt b.txt', 'find . -delete', 'find . -fprint x', 'tee a.txt', 'awk \'{print > "x"}\' a.txt', 'git difftool', 'git -c core.pager=x log', 'git grep -O x']);
  it('a change of folder goes along', () => expect([effectOf('cd src; ls > index.ts'), effectOf('cd src && ls > new'), effectOf('cd $x; ls > new'), effectOf('cd ..; ls > new')]).toEqual(['irreversible', 'write', 'irreversible', 'irreversible']));
  it('what was moved or linked there is not new any more', () => expect(['mv a.txt new; ls > new', 'ln -s a.txt new; ls > ./new', 'ln -s /etc new; ls > new/x', 'for f in a.txt b.txt; do mv "$f" new; done', 'mv a.txt n; mv b.txt n'].map((command) => effectOf(command))).toEqual(Array.from({ length: 5 }, () => 'irreversible')));
});

describe('4: variables that decide what runs', () => {
  const NAMES = ['PATH', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'BASH_ENV', 'ENV', 'IFS', 'PS4', 'NODE_OPTIONS', 'GIT_PAGER', 'GIT_SSH_COMMAND', 'PAGER', 'EDITOR', 'VISUAL', 'HOME', 'PYTHONPATH', 'PERL5OPT', 'LESSOPEN', 'https_proxy'];
  it.each(NAMES)('%s', (name) => {
    for (const command of [`${name}=x`, `${name}=x ls`, `export ${name}=x`, `env ${name}=x ls`, `declare ${name}=x`, `read ${name}`, `printf -v ${name} x`, `for ${name} in x; do ls; done`, `: \${${name}:=x}`, `${name}+=x`]) expect([command, effectOf(command)]).toEqual([command, 'irreversible']);
  });
  all('read', ['FOO=1', 'FOO=1 ls', 'export FOO=1', 'LC_ALL=C sort a.txt', 'NODE_ENV=test node -v', "while IFS= read -r l; do echo \"$l\"; done < a.txt"]);
});

describe('arithmetic runs what variables hold', () => {
  all('irreversible', ["x='a[$(rm a.txt)]'; echo $((x))", 'echo $((x + $(cat f)))', 'read n; echo $((n))', '[[ $(cat f) -eq 1 ]]', "test -v 'a[$(rm)]'", 'echo ${a[$x]}', "x[$(rm a)]=1", "let 'a[$(rm)]'", "declare -i 'x=a[1]'", 'echo ${!x}', 'echo ${x@P}', 'echo ${a:$x}', "i=0; while :; do echo $((i)); i='a[$(rm a)]'; done"]);
  all('read', ['echo $((1+2))', 'i=1; echo $((i+1))', 'for ((i=0;i<3;i++)); do echo $i; done', 'n=$(ls | wc -l); echo $((n+1))', 'echo ${x:1:2}', 'echo ${a[0]}']);
});

describe('what is known of variables', () => {
  all('irreversible', ["x='-o a.txt'; sort $x b.txt", 'sort "$x"', 'set -- -o a.txt; sort "$@"', 'f() { sort $1; }; f -oa.txt', 'x=new; x= eval "ls > a.txt\\$x"', 'x=new; bash -c \'ls > a.txt$x\'', '(x=new); ls > a.txt$x', 'x=new | ls; ls > a.txt$x', 'readonly x=; x=new; ls > a.txt$x']);
  all('read', ['x=a.txt; sort "$x"', 'for f in *.txt; do sort "$f"; done', 'x=-o; cat $x']);
  all('write', ['for i in 1 2; do touch "new$i"; done', 'd=new; mkdir "$d"; ls > "$d/x"']);
});

describe('functions', () => {
  all('irreversible', [':(){ :|:& };:', 'ls() { rm a; }; ls', 'ls() { ls | ls & }; ls', 'f() { f | f & }; f', '(f() { :; }); f', 'if ls; then f() { :; }; fi; f', 'f() { :; }; bash -c f', 'f() { :; }; env f', 'f() { :; }; xargs f', 'command_not_found_handle() { ls; }; x', 'while :; do sleep 1 & done']);
  all('read', ['f() { echo "$1"; }; f a', 'function f { ls; }; f']);
});

test('without `exists` everything exists, and so it does when `exists` throws', () => {
  expect([analyzeShell('ls > new', { cwd: '/w' }).effect, analyzeShell('ls > new', { cwd: '/w', exists: () => { throw new Error('x'); } }).effect, analyzeShell('mkdir new', { cwd: '/w' }).effect]).toEqual(['irreversible', 'irreversible', 'write']);
});
test('`exists` may answer for absolute or for relative paths', () => {
  for (const exists of [(path: string) => path === '/w/old', (path: string) => path === 'old']) expect(['old', 'new', './old', '/w/old'].map((name) => analyzeShell(`ls > ${name}`, { cwd: '/w', exists }).effect)).toEqual(['irreversible', 'write', 'irreversible', 'irreversible']);
});
test('copying into a folder is judged by the name it gets there', () => {
  const isDirectory = (path: string): boolean => path === `${CWD}/src`;
  expect([effectOf('cp a.txt src'), effectOf('cp a.txt src', { isDirectory }), effectOf('cp x/index.ts src', { isDirectory }), effectOf('cp a.txt src/'), effectOf('cp x/index.ts src/'), effectOf('cp *.txt src/')]).toEqual(['irreversible', 'write', 'irreversible', 'write', 'irreversible', 'irreversible']);
  expect(FILES.has('src/a.txt')).toBe(false);
});
test('a folder made on the way is a folder only when nothing was there', () => expect([effectOf('mkdir new && cp a.txt new'), effectOf('mkdir -p a.txt; cp b.txt a.txt')]).toEqual(['write', 'irreversible']));

test('the findings name the node', () => {
  const command = 'ls && rm -r dist; echo x > a.txt';
  const { findings } = analyzeShell(command, OPTIONS);
  expect(findings.map(({ program, range }) => [program, command.slice(...range)])).toEqual([['rm', 'rm -r dist'], ['echo', 'a.txt']]);
  expect(Object.keys(findings[0]!).sort()).toEqual(['program', 'range', 'reason']);
});
test('a script in a word is named by that word', () => {
  const command = "ls; bash -c 'ls; rm a.txt'";
  expect(analyzeShell(command, OPTIONS).findings.map(({ program, range }) => [program, command.slice(...range)])).toEqual([['rm', "'ls; rm a.txt'"], ['bash', "'ls; rm a.txt'"]]);
});
test('reading has no findings, writing names what it makes', () => {
  expect(analyzeShell('ls', OPTIONS).findings).toEqual([]);
  expect(analyzeShell('ls > new', OPTIONS).findings).toMatchObject([{ program: 'ls', range: [5, 8] }]);
});
test('a host adds programs, which get what can be read of their arguments', () => {
  const seen: unknown[] = [];
  const programs = { mytool: (args: readonly (string | undefined)[]) => { seen.push(args); return args[0] === 'show' ? 'read' as const : 'write' as const; }, make: () => 'write' as const, bad: () => { throw new Error('x'); }, rm: () => 'irreversible' as const, odd: () => 'nothing' as never };
  expect(['mytool show "$x" a', 'mytool', 'env mytool show', 'make test', 'bad', 'odd', './make', 'make > a.txt', 'toString'].map((command) => effectOf(command, { programs }))).toEqual(['read', 'write', 'read', 'write', 'irreversible', 'irreversible', 'irreversible', 'irreversible', 'irreversible']);
  expect(seen[0]).toEqual(['show', undefined, 'a']);
});

describe('what a program\'s own language hides', () => {
  it.each([
    ["awk '{ print $1,\n\n $2 > \"a.txt\" }' b.txt", 'a statement of awk goes on after a comma'],
    ["awk '{ print x++ / 2 > \"a.txt\" ; y = 1 / 2 }' b.txt", 'a slash behind ++ divides'],
    ["awk '{ if (1) /#/; print > \"a.txt\" }' b.txt", 'a slash behind a bracket may begin a pattern'],
    ["awk '{ if (0) exit /\"/; print > \"out\" #\"/\n}' b.txt", 'a quote in a pattern is no text'],
    ["sed 's/[/x/;#]/X/w a.txt' b.txt", 'a delimiter in brackets ends nothing'],
    ["sed 's/[a\\]/X/w a.txt;s/]/Y/' b.txt", 'a backslash in brackets is text'],
    ["sqlite3 data.db \"select 1, \\\"writefile\\\"('a.txt','x')\"", 'a function\'s name in quotes is still called'],
    ['sqlite3 data.db \'select 1, [load_extension]("x")\'', 'so it is in brackets'],
    ['psql -c \'select $$\'"\'"\'$$, lo_unlink(1), $$\'"\'"\'$$\'', 'dollars quote as well'],
    ["perl -ne 'print if /x/' 'rm a.txt|'", 'perl runs files whose names end with a pipe'],
    ["python3 -c 'import data'", 'a module that isn\'t python\'s own is a file'],
    ["python3 -c 'import sys; sys.path=[\"/tmp\"]; import csv'", 'the places of modules were changed'],
    ["python3 -c 'import sys as os; os.path+=[\"/tmp\"]; import csv'", 'under another name too'],
    ['fd -e ts -x rm', 'fd runs'], ['tmux ls -F "#(rm a.txt)"', 'a format runs'], ["exiftool -if 'unlink(1)' a.jpg", 'a condition runs'], ['identify ephemeral:a.txt', 'a prefix deletes'],
  ])('%s', (command) => expect(effectOf(command)).toBe('irreversible'));
  it.each(["sed 's/[^/]*$//' a.txt", "awk '($1 + $2) / 2 > 3' a.txt", "sqlite3 data.db 'pragma table_info(t)'", "python3 -c 'import json; print(json.dumps({\"a\": 1}))'", "perl -pe 's/a/b/' a.txt", 'fd -e ts -x wc -l'])('harmless: %s', (command) => expect(effectOf(command)).toBe('read'));
});

describe('options are known in every form a program takes them in', () => {
  it.each(["git grep --op='rm a.txt' x", "git push --dry-run --exe='rm a.txt' /srv/x", "ag --page='rm a.txt' x", 'flake8 --outp=a.txt', 'mypy --html-rep dist src', 'git log -p --ext', 'docker compose config -qoa.txt', 'gh api repos/x/y -iXDELETE', 'gpg --verify --output a.txt b.txt', 'ssh-keygen -F a -R b', 'kubectl get pods --profile=cpu --profile-output=a.txt', 'kubectl delete pod x --as --dry-run=client', 'kubectl delete pod x --dry-run=client --dry-run=none', 'apt-get -s install -s=0 x', 'rsync -n "h:`rm x`" src', 'arch -x86_64 rm a.txt', 'nm --plugin ./x.so a.txt', 'sdiff -o a.txt b.txt main.c'])('%s', (command) => expect(effectOf(command)).toBe('irreversible'));
  it('a mark of an address is no pattern where nothing can match it', () => expect([effectOf('curl https://x.com/?a=1'), effectOf('curl https://x.com/?a=1', { exists: undefined }), effectOf('shopt -s nullglob; curl -A https://x.com/? -A -Ta.txt https://y.com/'), effectOf('f() { curl https://x.com/?a; }; shopt -s nullglob; f')]).toEqual(['read', 'irreversible', 'irreversible', 'irreversible']));
});
