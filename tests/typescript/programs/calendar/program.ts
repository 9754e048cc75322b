// Dates without a library: month sheets, ISO weeks, working days, recurring events and ages, all in UTC.

type IsoDay = `${number}-${number}-${number}`;
interface Rule { readonly every: 'week' | 'month' | 'year'; readonly start: IsoDay; readonly times: number; readonly step?: number }

const kDay = 86_400_000;
const at = (day: IsoDay): Date => {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) throw new RangeError(`no such day: ${day}`);
  return date;
};
const iso = (date: Date): IsoDay => date.toISOString().slice(0, 10) as IsoDay;
const plusDays = (date: Date, days: number): Date => new Date(date.getTime() + days * kDay);
const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
const isLeap = (year: number): boolean => daysInMonth(year, 1) === 29;

function plusMonths(date: Date, months: number): Date {
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const first = new Date(Date.UTC(year, month, 1));
  const day = Math.min(date.getUTCDate(), daysInMonth(first.getUTCFullYear(), first.getUTCMonth()));
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), day));
}

/** The week's year, number and day as ISO 8601 counts them: week 1 has the year's first Thursday. */
function isoWeek(day: IsoDay): string {
  const date = at(day);
  const weekday = date.getUTCDay() || 7;
  const thursday = plusDays(date, 4 - weekday);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * kDay)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}-${weekday}`;
}

function sheet(year: number, month: number): string {
  const title = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(Date.UTC(year, month, 1));
  const offset = (new Date(Date.UTC(year, month, 1)).getUTCDay() + 6) % 7;
  const cells = [...Array(offset).fill('  '), ...Array.from({ length: daysInMonth(year, month) }, (_, i) => String(i + 1).padStart(2))];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, i) => cells.slice(7 * i, 7 * i + 7).join(' '));
  return [title, 'Mo Tu We Th Fr Sa Su', ...weeks].join('\n');
}

function workingDays(from: IsoDay, to: IsoDay, holidays: readonly IsoDay[]): number {
  const free = new Set<string>(holidays);
  let count = 0;
  for (let date = at(from); date <= at(to); date = plusDays(date, 1)) {
    if (date.getUTCDay() % 6 !== 0 && !free.has(iso(date))) count++;
  }
  return count;
}

function occurrences({ every, start, times, step = 1 }: Rule): IsoDay[] {
  const advance = { week: (n: number) => plusDays(at(start), 7 * n), month: (n: number) => plusMonths(at(start), n), year: (n: number) => plusMonths(at(start), 12 * n) };
  return Array.from({ length: times }, (_, n) => iso(advance[every](n * step)));
}

function age(birth: IsoDay, today: IsoDay): string {
  const [born, now] = [at(birth), at(today)];
  let months = 12 * (now.getUTCFullYear() - born.getUTCFullYear()) + now.getUTCMonth() - born.getUTCMonth();
  if (plusMonths(born, months) > now) months--;
  const days = Math.round((now.getTime() - plusMonths(born, months).getTime()) / kDay);
  return `${Math.floor(months / 12)} years, ${months % 12} months, ${days} days`;
}

/** Easter Sunday of the Gregorian calendar, by the algorithm of Gauss with its later corrections. */
function easter(year: number): IsoDay {
  const a = year % 19, b = Math.floor(year / 100), c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return iso(new Date(Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1)));
}

export default (holidays: IsoDay[], rules: Rule[]) => {
  let refused = '';
  try { at('2024-13-01'); } catch (error) { refused = (error as Error).message; }
  return {
    sheet: sheet(2024, 1),
    weeks: (['2024-12-30', '2021-01-03', '2020-12-31', '2026-07-15'] as const).map(isoWeek),
    leap: [1900, 2000, 2023, 2024].map(isLeap),
    working: workingDays('2024-12-16', '2025-01-05', holidays),
    rules: rules.map(occurrences),
    age: age('1984-02-29', '2025-02-28'),
    easter: [1961, 2000, 2024, 2038].map(easter),
    local: at('2024-07-01').toString(),
    moment: new Date(Date.UTC(1999, 11, 31, 23, 59, 59)),
    refused,
  };
};
