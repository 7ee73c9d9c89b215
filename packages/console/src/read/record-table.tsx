import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { counted } from '../parts/numbers.js';
import { shownName } from '../parts/names.js';
import { cellText, columnsOf, type ReadRecord } from './records.js';

interface Props {
  readonly records: readonly ReadRecord[];
  /** The number of the first record. */
  readonly from: number;
}

/** Records as a table. A single record is a list of its fields. */
export function RecordTable({ records, from }: Props): JSX.Element {
  const [filter, setFilter] = useState('');
  const columns = useMemo(() => columnsOf(records), [records]);
  const numbered = records.map((record, index) => ({ record, number: from + index }));
  const wanted = filter.toLowerCase();
  const shown = numbered.filter(
    ({ record }) => wanted === '' || JSON.stringify(record).toLowerCase().includes(wanted),
  );
  const [first] = records;
  if (records.length === 1 && first !== undefined) return <RecordFields record={first} />;
  return (
    <>
      <div class="list-tools">
        <label>
          <span class="hidden">Filter these records</span>
          <input
            type="search"
            placeholder="Filter these records"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
        <span class="soft" role="status">
          {counted(shown.length, 'record')}
        </span>
      </div>
      <div class="table-box records" tabIndex={0} role="region" aria-label="Records">
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">
                Nr
              </th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  <bdi>{shownName(name)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ record, number }) => (
              <tr key={number}>
                <td class="number soft">{number}</td>
                {columns.map((name) => (
                  <td
                    key={name}
                    dir="auto"
                    class={typeof record[name] === 'number' ? 'number' : undefined}
                  >
                    <div class="cell">{cellText(record[name])}</div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** The fields of a record. */
export function RecordFields({ record }: { readonly record: ReadRecord }): JSX.Element {
  return (
    <dl class="facts">
      {Object.entries(record).map(([name, value]) => [
        <dt key={`${name} name`}>
          <bdi>{shownName(name)}</bdi>
        </dt>,
        <dd key={`${name} value`} dir="auto" class="field-value">
          {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
        </dd>,
      ])}
    </dl>
  );
}
