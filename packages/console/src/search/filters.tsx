import type { ConnectorRow } from '@trove/client';
import type { JSX } from 'preact';
import { shownUri } from '../parts/names.js';
import type { SearchChoice } from './search-request.js';

interface Props {
  readonly choice: SearchChoice;
  readonly sources: readonly ConnectorRow[];
  readonly onChange: (change: Partial<SearchChoice>) => void;
}

type Options = readonly (readonly [value: string, label: string])[];

const types: Options = [
  ['', 'Any type'],
  ['md,txt,rst,org,wiki,tex', 'Notes and text'],
  ['pdf,office', 'PDF and office'],
  ['html', 'Web pages'],
  ['email', 'Mail'],
  ['js,ts,vue,svelte', 'JavaScript and TypeScript'],
  ['py,jupyter', 'Python'],
  ['java,kotlin,scala,groovy', 'Java, Kotlin and Scala'],
  ['go,rust,c,cpp,zig', 'Go, Rust, C and C++'],
  ['cs,fsharp,vb', 'C# and .NET'],
  ['ruby,php,perl,lua', 'Ruby, PHP, Perl and Lua'],
  ['sh,bat,make,docker', 'Scripts'],
  ['json,yaml,toml,xml,config', 'Configuration'],
  ['csv,sql', 'Data and SQL'],
  ['log', 'Logs'],
];
const kinds: Options = [
  ['', 'Any kind'],
  ['body', 'Text'],
  ['row_text,record_aggregate', 'Records'],
  ['thread_aggregate', 'Conversations'],
  ['summary,directory_summary,schema_summary,vlm_description', 'Summaries'],
];
const ages: Options = [
  ['', 'Any time'],
  ['1d', 'Past day'],
  ['7d', 'Past week'],
  ['30d', 'Past month'],
  ['365d', 'Past year'],
];
const modes: Options = [
  ['', 'Words and meaning'],
  ['keyword', 'Words only'],
  ['semantic', 'Meaning only'],
];
const orders: Options = [
  ['', 'Most relevant'],
  ['modified', 'Newest'],
];

/** The filters of a search. */
export function Filters({ choice, sources, onChange }: Props): JSX.Element {
  const known: Options = [
    ['', 'All sources'],
    ...sources.map(({ root_uri: root }) => [root, shownUri(root)] as const),
  ];
  return (
    <div class="filters" role="group" aria-label="Filters">
      <Select label="Source" name="path" options={known} {...{ choice, onChange }} />
      <Select label="Type" name="type" options={types} {...{ choice, onChange }} />
      <Select label="Kind" name="kind" options={kinds} {...{ choice, onChange }} />
      <Select label="Changed" name="since" options={ages} {...{ choice, onChange }} />
      <Select label="Match" name="mode" options={modes} {...{ choice, onChange }} />
      <Select label="Order" name="sort" options={orders} {...{ choice, onChange }} />
    </div>
  );
}

interface SelectProps extends Omit<Props, 'sources'> {
  readonly label: string;
  readonly name: Exclude<keyof SearchChoice, 'q'>;
  readonly options: Options;
}

function Select({ label, name, options, choice, onChange }: SelectProps): JSX.Element {
  const value = choice[name];
  const isListed = options.some(([each]) => each === value);
  const shown: Options = isListed
    ? options
    : [...options, [value, name === 'path' ? shownUri(value) : value]];
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange({ [name]: event.currentTarget.value })}>
        {shown.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
