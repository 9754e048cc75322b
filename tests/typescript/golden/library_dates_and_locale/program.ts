// The time zone is UTC and the locale en-US, whatever the host's are.

const day = new Date(Date.UTC(2024, 1, 29, 13, 5, 9, 7));

export default (given: Date) => ({
  zone: [Intl.DateTimeFormat().resolvedOptions().timeZone, day.getTimezoneOffset(), new Date(2024, 0, 1).getTime() === Date.UTC(2024, 0, 1)],
  locale: [Intl.DateTimeFormat().resolvedOptions().locale, Intl.NumberFormat().resolvedOptions().locale],
  text: [day.toISOString(), day.toString(), day.toUTCString(), JSON.stringify(day)],
  local: [day.toLocaleDateString(), day.toLocaleTimeString().replace('\u202f', ' ')],
  long: day.toLocaleDateString('en-US', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }),
  other: new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', hour: 'numeric', hourCycle: 'h23', minute: '2-digit' }).format(day),
  parts: new Intl.DateTimeFormat('en-US').formatToParts(day).map(({ type }) => type).join(),
  parsed: [Date.parse('2024-02-29'), Date.parse('2024-02-29T12:00'), Date.parse('2024-02-29T12:00+02:00'), Number.isNaN(Date.parse('nonsense'))],
  arithmetic: new Date(2024, 0, 31 + 30).toISOString().slice(0, 10),
  weekday: [day.getDay(), given.getUTCDay()],
  leap: new Date(2023, 1, 29).getMonth(),
  numbers: [
    (1234567.891).toLocaleString(),
    new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' }).format(-1234.5),
    new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 }).format(0.1234),
    new Intl.NumberFormat('en-US', { notation: 'compact' }).format(12_345_678),
    new Intl.NumberFormat('de-DE').format(1234.5),
    (12345678901234567890n).toLocaleString(),
  ],
  plural: [1, 2, 3, 4, 11, 21].map((n) => new Intl.PluralRules('en-US', { type: 'ordinal' }).select(n)),
  relative: [new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }).format(-1, 'day'), new Intl.RelativeTimeFormat('en-US').format(3, 'hour')],
  list: new Intl.ListFormat('en-US', { type: 'conjunction' }).format(['a', 'b', 'c']),
  collated: ['file10', 'file9', 'File1'].sort(new Intl.Collator('en-US', { numeric: true }).compare),
  names: new Intl.DisplayNames('en-US', { type: 'region' }).of('FR'),
  temporal: typeof (globalThis as any).Temporal,
});
