import type { ConnectorRow } from '@trove/client';
import type { JSX } from 'preact';
import { shownUri } from '../parts/names.js';
import { shownNumber } from '../parts/numbers.js';
import { countedHits, areLimited, countOption, type FacetName, type Facets } from './facets.js';
import {
  ageOptions,
  kindOptions,
  modeOptions,
  orderOptions,
  typeOptions,
  type FilterOption,
} from './filter-options.js';
import type { SearchChoice } from './search-request.js';

interface Props {
  readonly choice: SearchChoice;
  readonly sources: readonly ConnectorRow[];
  /** Null before the options are counted. */
  readonly facets: Facets | null;
  readonly onChange: (change: Partial<SearchChoice>) => void;
}

/** The filters of a search, with the number of passages that each option would leave. */
export function Filters({ choice, sources, facets, onChange }: Props): JSX.Element {
  const known: readonly FilterOption[] = [
    { value: '', label: 'All sources' },
    ...sources.map(({ root_uri: root }) => ({ value: root, label: shownUri(root) })),
  ];
  const shared = { choice, onChange };
  const countOf = (name: FacetName) => (value: string) =>
    facets === null ? null : countOption(facets, name, value);
  return (
    <>
      <div class="filters" role="group" aria-label="Filters">
        <Select label="Source" name="path" options={known} countOf={countOf('path')} {...shared} />
        <Select
          label="Type"
          name="type"
          options={typeOptions}
          countOf={countOf('type')}
          {...shared}
        />
        <Select
          label="Kind"
          name="kind"
          options={kindOptions}
          countOf={countOf('kind')}
          {...shared}
        />
        <Select
          label="Changed"
          name="since"
          options={ageOptions}
          countOf={countOf('since')}
          {...shared}
        />
        <Select label="Match" name="mode" options={modeOptions} {...shared} />
        <Select label="Order" name="sort" options={orderOptions} {...shared} />
      </div>
      {facets !== null && areLimited(facets) && (
        <p class="soft counts">
          The filters count the {countedHits} best passages. More passages match.
        </p>
      )}
    </>
  );
}

interface SelectProps extends Pick<Props, 'choice' | 'onChange'> {
  readonly label: string;
  readonly name: Exclude<keyof SearchChoice, 'q'>;
  readonly options: readonly FilterOption[];
  readonly countOf?: (value: string) => number | null;
}

function Select({ label, name, options, countOf, choice, onChange }: SelectProps): JSX.Element {
  const current = choice[name];
  const isListed = options.some(({ value }) => value === current);
  const unlisted = { value: current, label: name === 'path' ? shownUri(current) : current };
  return (
    <label>
      <span>{label}</span>
      <select value={current} onChange={(event) => onChange({ [name]: event.currentTarget.value })}>
        {(isListed ? options : [...options, unlisted]).map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
            {value === '' ? '' : shownCount(countOf?.(value) ?? null)}
          </option>
        ))}
      </select>
    </label>
  );
}

function shownCount(count: number | null): string {
  return count === null ? '' : ` (${shownNumber(count)})`;
}
