import { TroveError } from '@trove/core';

const minuteMs = 60_000;
const minutesPerDay = 24 * 60;

/** A daily period in the server's time zone. It may end on the next day. */
export class Hours {
  /** Minutes after midnight. `until` is exclusive. */
  readonly #from: number;
  readonly #until: number;

  private constructor(from: number, until: number) {
    this.#from = from;
    this.#until = until;
  }

  /** Reads `22:00-06:00`. Throws `config_invalid`. */
  static parse(text: unknown): Hours {
    const match = typeof text === 'string' ? /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(text) : null;
    const [fromHour = 0, fromMinute = 0, untilHour = 0, untilMinute = 0] =
      match?.slice(1).map(Number) ?? [];
    const from = fromHour * 60 + fromMinute;
    const until = untilHour * 60 + untilMinute;
    const isValid = match !== null && fromHour < 24 && fromMinute < 60 && untilMinute < 60;
    if (!isValid || until > minutesPerDay || from === until)
      throw new TroveError('config_invalid', 'config.hours: must be two times of day', {
        suggestions: ['Write a period of the day, such as hours = "22:00-06:00".'],
      });
    return new Hours(from, until);
  }

  /** Usual length. Differs on days when the clock changes. */
  get lengthMs(): number {
    return ((this.#until - this.#from + minutesPerDay) % minutesPerDay || minutesPerDay) * minuteMs;
  }

  contains(time: number): boolean {
    const date = new Date(time);
    const minute = date.getHours() * 60 + date.getMinutes();
    return this.#from < this.#until
      ? minute >= this.#from && minute < this.#until
      : minute >= this.#from || minute < this.#until;
  }

  /** The start and the end of the period that begins on the day of `time`, plus a number of days. */
  on(time: number, days: number): { readonly begins: number; readonly ends: number } {
    const date = new Date(time);
    const at = (day: number, minute: number): number =>
      new Date(date.getFullYear(), date.getMonth(), date.getDate() + day, 0, minute).getTime();
    const lastDay = this.#until > this.#from ? days : days + 1;
    return { begins: at(days, this.#from), ends: at(lastDay, this.#until) };
  }

  /** The end of the period that contains `time`. */
  endAfter(time: number): number {
    const { begins, ends } = this.on(time, 0);
    return begins <= time ? ends : this.on(time, -1).ends;
  }
}
