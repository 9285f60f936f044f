/** A moment in local date and time; every part has leading zeros. */
export interface CalendarTime {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  /** 00 to 23. */
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
}

/** From milliseconds since 1970. */
export type Calendar = (time: number) => CalendarTime;

/** The Gregorian calendar in a time zone (IANA name), by default the machine's. */
export function calendar(timeZone?: string): Calendar {
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
    return {
      year: part('year'),
      month: part('month'),
      day: part('day'),
      hour: part('hour'),
      minute: part('minute'),
      second: part('second'),
    };
  };
}
