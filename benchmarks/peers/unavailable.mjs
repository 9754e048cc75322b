// This peer cannot be run here. The message says what is missing; the table shows it.
export class Unavailable extends Error {}
