/** Variables that decide which program runs, what it loads, where it sends, or how the shell reads the rest. */
const SENSITIVE = new RegExp(`^(?:${[
  'PATH', 'IFS', 'ENV', 'HOME', 'SHELL', 'PS[0-9]', 'PROMPT_COMMAND', 'CDPATH', 'TMPDIR', 'TMP', 'TEMP', 'BASH.*', 'SHELLOPTS', 'POSIXLY_CORRECT', 'OPTIND', 'EXECIGNORE', 'FUNCNEST',
  'LD_.*', 'DYLD_.*', 'GCONV_PATH', 'LOCPATH', 'NLSPATH', 'GLIBC_.*', 'MALLOC_.*', 'OPENSSL_.*', 'SSL_.*', 'CURL_.*',
  'NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_.*', 'NODE_REPL_.*', 'NODE_TLS_.*', 'NODE_V8_.*', 'TS_NODE_.*', 'TSX_.*', 'BUN_.*', 'DENO_.*', 'npm_.*', 'NPM_.*', 'YARN_.*', 'PNPM_.*', 'COREPACK_.*',
  'PYTHON.*', 'PIP_.*', 'UV_.*', 'VIRTUAL_ENV', 'CONDA_.*', 'PERL.*', 'RUBY.*', 'GEM_.*', 'BUNDLE_.*', 'JAVA_.*', '_JAVA_.*', 'JDK_.*', 'CLASSPATH', 'MAVEN_.*', 'GRADLE_.*', 'PHP.*', 'LUA_.*', 'R_.*',
  'GIT_.*', 'SSH_.*', 'GPG_.*', 'GNUPG.*', 'RSYNC_.*', 'CVS.*', 'SVN_.*', 'HG.*',
  '.*PAGER', '.*EDITOR', 'VISUAL', 'BROWSER', 'LESS.*', 'MAN.*', 'MORE', 'GREP_.*', 'TAR_OPTIONS', 'TAPE', 'GZIP', 'BZIP', 'XZ_.*', 'ZIPOPT', 'UNZIP.*', 'ZSTD_.*', 'RIPGREP_.*', 'FZF_.*', 'AWKPATH', 'AWKLIBPATH', 'GAWK.*', 'JQ_.*', 'TERMINFO.*', 'TERMCAP',
  'MAKE.*', 'GNUMAKE.*', 'CC', 'CXX', 'CPP', 'LD', 'AR', 'CFLAGS', 'CXXFLAGS', 'LDFLAGS', 'CMAKE_.*', 'CARGO.*', 'RUST.*', 'GO[A-Z0-9]*', 'GCC_.*', 'COMPILER_PATH', 'LIBRARY_PATH', 'CPATH', '.*_INCLUDE_PATH', 'COLLECT_.*', 'DEPENDENCIES_OUTPUT', 'SUNPRO_DEPENDENCIES',
  'DOCKER_.*', 'COMPOSE_.*', 'KUBECONFIG', 'KUBE_.*', 'HELM_.*', 'TF_.*', 'AWS_.*', 'AZURE_.*', 'GOOGLE_.*', 'CLOUDSDK_.*', 'GH_.*', 'XDG_.*', 'PG[A-Z]+', 'PSQLRC', 'MYSQL_.*', 'SQLITE_.*',
  '[a-zA-Z]+_proxy', '[A-Z]+_PROXY', 'HOSTALIASES', 'RES_OPTIONS', 'LOCALDOMAIN', 'SUDO_.*', 'DISPLAY', 'WAYLAND_.*', 'DBUS_.*', 'HIST.*', 'INPUTRC', 'TIMEFORMAT', 'MAIL.*', 'auto_resume', 'GLOBIGNORE', 'WGETRC', 'SYSTEM_WGETRC',
].join('|')})$`);

/** Whether setting this variable can change what other words mean. */
export function isSensitiveVariable(name: string): boolean {
  return !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || SENSITIVE.test(name);
}

/** Stands among the variables, under a name no script can set, when patterns that match nothing may not stay as they are. */
export const PATTERNS_VANISH = ' patterns vanish';

/** Variables that bash itself fills with numbers. */
const COUNTERS: ReadonlySet<string> = new Set(['RANDOM', 'SRANDOM', 'SECONDS', 'LINENO', 'EPOCHSECONDS', 'BASHPID', 'UID', 'EUID', 'PPID', 'COLUMNS', 'LINES', '#', '?', '$', '!', 'SHLVL']);

/** Whether the shell keeps a number in this variable. */
export function isCounter(name: string): boolean {
  return COUNTERS.has(name);
}
