import { BuiltInRules, type BuiltInRule } from './built-in-rules.js';

const folders = new BuiltInRules()
  // Dependencies, build output, caches and trash.
  .add(
    false,
    `
    node_modules bower_components jspm_packages .pnpm-store .yarn .venv venv __pypackages__ site-packages
    .eggs .tox .nox Pods Carthage .bundle .gradle .m2 .cargo .dart_tool .pub-cache elm-stuff
    .npm .bun .deno .nvm .rustup .pyenv .rbenv .gem .conda .cpan .cabal .stack .opam .ivy2 .nuget .vscode-server
    dist .next .nuxt .output .svelte-kit .astro .docusaurus .vercel .serverless .terraform DerivedData
    .cache .parcel-cache .turbo .nx .angular .vite __pycache__ .pytest_cache .mypy_cache .ruff_cache
    .hypothesis .ipynb_checkpoints .nyc_output coverage htmlcov .sass-cache Library/Caches
    .trash .Trash .Trash-* $RECYCLE.BIN .local/share/Trash .local/share/pnpm go/pkg
    *.egg-info cmake-build-* bazel-bin bazel-out bazel-testlogs
    `,
  )
  // Version control data contains the passwords of remotes, and is never tracked itself.
  .add(true, '.git .hg .svn .jj .bzr _darcs CVS')
  // Keys and tokens, keyrings, browser profiles, mail stores.
  .add(
    true,
    `
    .ssh .gnupg .aws .kube .password-store .pki .config/gcloud .config/gh .config/op .config/rclone
    .local/share/keyrings Library/Keychains
    .mozilla .librewolf .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge
    .config/vivaldi .config/opera snap/firefox snap/chromium .var/app Library/Safari Library/Cookies
    Firefox/Profiles Google/Chrome BraveSoftware/Brave-Browser Microsoft/Edge
    .thunderbird .icedove Thunderbird/Profiles Library/Thunderbird Library/Mail Library/Messages .local/share/evolution
    .config/evolution .local/share/kmail2 .local/share/akonadi Maildir .Mail .mutt
    `,
  );

const buildFolderNames = ['build', 'out', 'target', 'vendor', 'obj'];

/**
 * Names of folders with build output or dependencies, unless they directly contain prose (a chapter called "build").
 */
const foldersWithoutProse = new BuiltInRules().add(false, buildFolderNames.join(' '));

/** Whether the direct contents of a folder with this name decide if it is left out. */
export function dependsOnContent(name: string): boolean {
  return buildFolderNames.includes(name);
}

const files = new BuiltInRules()
  .add(
    false,
    `
    package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock
    Cargo.lock poetry.lock Pipfile.lock uv.lock pdm.lock Gemfile.lock composer.lock go.sum mix.lock
    pubspec.lock Podfile.lock Cartfile.resolved Package.resolved flake.lock gradle.lockfile
    packages.lock.json .terraform.lock.hcl .DS_Store Thumbs.db desktop.ini .eslintcache .stylelintcache
    .git *.tsbuildinfo *.pyc *.pyo *.swp *.swo *~
    `,
  )
  // Keys, credentials and tokens, shell histories.
  .add(
    true,
    `
    id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk
    *.pem *.key *.p12 *.pfx *.ppk *.jks *.keystore *.kdbx *.kdb *.keychain *.keychain-db *.keyring
    .netrc _netrc .npmrc .pypirc .pgpass .my.cnf .mylogin.cnf .git-credentials .htpasswd .dockercfg .boto .s3cfg
    .vault-token .terraformrc credentials.tfrc.json credentials.json client_secret*.json server.token
    .docker/config.json .composer/auth.json .config/hub .config/git/credentials .config/configstore
    .azure/accessTokens.json .azure/msal_token_cache.json .Xauthority .ICEauthority
    .env .env* *.env
    .*_history .history fish_history ConsoleHost_history.txt .lesshst .viminfo
    `,
  );

/** Names of files with example settings, which contain no values. */
const exampleSettings = /(?:^|[-._])(?:example|sample|template|dist|defaults|schema)(?:\.|$)/;

const prose = /\.(?:md|mdx|markdown|rst|adoc)$/i;

/** An entry to check against the built-in rules. */
export interface IgnoreCandidate {
  readonly name: string;
  readonly isFolder: boolean;
  /** The whole path, for rules with folders. */
  readonly path: string;
  /** Returns the names of direct children of a folder. Null if unknown: rules that depend on them then do not apply. */
  childNames(): readonly string[] | null;
}

/** Returns the built-in rule that excludes an entry, or null. */
export function builtInRule({
  name,
  isFolder,
  path,
  childNames,
}: IgnoreCandidate): BuiltInRule | null {
  if (!isFolder) {
    const rule = files.find(name, path);
    const isSettings = rule?.pattern === '.env*' || rule?.pattern === '*.env';
    return isSettings && exampleSettings.test(name) ? null : rule;
  }
  const rule =
    folders.find(name, path) ?? unlessProse(foldersWithoutProse.find(name, path), childNames);
  return rule === null ? null : { ...rule, pattern: `${rule.pattern}/` };
}

function unlessProse(
  rule: BuiltInRule | null,
  childNames: IgnoreCandidate['childNames'],
): BuiltInRule | null {
  if (rule === null) return null;
  const inside = childNames();
  return inside === null || inside.some((name) => prose.test(name)) ? null : rule;
}
