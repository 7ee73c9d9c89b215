/** A choice of a filter. An empty value does not filter. */
export interface FilterOption {
  readonly value: string;
  readonly label: string;
}

/** Types of files as the server names them. `files`: the names of their files, or their ends after a dot. */
interface TypeOption extends FilterOption {
  readonly files: string;
}

const typeGroups: readonly TypeOption[] = [
  {
    value: 'md,txt,rst,org,wiki,tex',
    label: 'Notes and text',
    files:
      '.md .markdown .mdown .mdwn .mdx .mkd .mkdn .txt .rst .org .org_archive .wiki .mediawiki .tex .ltx .cls .sty .bib .dtx .ins',
  },
  {
    value: 'pdf,office',
    label: 'PDF and Office',
    files: '.pdf .docx .xlsx .pptx .odt .ods .odp .rtf',
  },
  { value: 'html', label: 'Web pages', files: '.html .htm .xhtml .ejs' },
  { value: 'email', label: 'Mail', files: '.eml .msg .mbox' },
  {
    value: 'js,ts,vue,svelte',
    label: 'JavaScript and TypeScript',
    files: '.js .jsx .mjs .cjs .vue .ts .tsx .cts .mts .svelte',
  },
  { value: 'py,jupyter', label: 'Python', files: '.py .pyi .ipynb .jpynb' },
  {
    value: 'java,kotlin,scala,groovy',
    label: 'Java, Kotlin and Scala',
    files: '.java .jsp .jspx .properties .kt .kts .scala .sbt .groovy .gradle',
  },
  {
    value: 'go,rust,c,cpp,zig',
    label: 'Go, Rust, C and C++',
    files: '.go .rs .c .h .H .cats .cpp .cc .cxx .C .hpp .hh .hxx .inl .zig',
  },
  { value: 'cs,fsharp,vb', label: 'C# and .NET', files: '.cs .fs .fsx .fsi .vb' },
  {
    value: 'ruby,php,perl,lua',
    label: 'Ruby, PHP, Perl and Lua',
    files:
      '.rb .rbw .gemspec Gemfile Rakefile config.ru .irbrc .php .php3 .php4 .php5 .phtml .pl .pm .perl .plx .t .lua',
  },
  {
    value: 'sh,bat,make,docker',
    label: 'Scripts',
    files:
      '.sh .bash .zsh .fish .ksh .bashrc .bash_profile .profile .zshrc .bat .cmd Makefile makefile GNUmakefile .mk .mak Containerfile *Dockerfile* docker-compose*.yml docker-compose*.yaml',
  },
  {
    value: 'json,yaml,toml,xml,config',
    label: 'Configuration',
    files:
      '.json .jsonl .ndjson .geojson composer.lock .yaml .yml .toml Cargo.lock .xml .xsd .xsl .xslt .dtd .rng .svg .cfg .conf .config .ini',
  },
  { value: 'csv,sql', label: 'Data and SQL', files: '.csv .tsv .sql .psql' },
  { value: 'log', label: 'Logs', files: '.log' },
];

export const typeOptions: readonly FilterOption[] = [
  { value: '', label: 'Any type' },
  ...typeGroups,
];

export const kindOptions: readonly FilterOption[] = [
  { value: '', label: 'Any kind' },
  { value: 'body', label: 'Text' },
  { value: 'row_text,record_aggregate', label: 'Records' },
  { value: 'thread_aggregate', label: 'Conversations' },
  { value: 'summary,directory_summary,schema_summary,vlm_description', label: 'Summaries' },
];

export const ageOptions: readonly FilterOption[] = [
  { value: '', label: 'Any time' },
  { value: '1d', label: 'Past day' },
  { value: '7d', label: 'Past week' },
  { value: '30d', label: 'Past month' },
  { value: '365d', label: 'Past year' },
];

export const modeOptions: readonly FilterOption[] = [
  { value: '', label: 'Words and meaning' },
  { value: 'keyword', label: 'Words only' },
  { value: 'semantic', label: 'Meaning only' },
];

export const orderOptions: readonly FilterOption[] = [
  { value: '', label: 'Most relevant' },
  { value: 'modified', label: 'Newest' },
];

/** Whether a file has one of the types of an option. */
export function hasType(name: string, type: string): boolean {
  const group = typeGroups.find(({ value }) => value === type);
  return group !== undefined && patternOf(group).test(name);
}

const patterns = new Map<TypeOption, RegExp>();

function patternOf(group: TypeOption): RegExp {
  const known = patterns.get(group);
  if (known !== undefined) return known;
  const sources = group.files.split(' ').map((file) => {
    const source = file.replaceAll('.', '\\.').replaceAll('*', '.*');
    return file.startsWith('.') ? `${source}$` : `^${source}$`;
  });
  const pattern = new RegExp(sources.join('|'));
  patterns.set(group, pattern);
  return pattern;
}
