// performance.now, and a time origin that tells nothing about the host: the call's start is 0.

import { defineHidden, tag } from '../define.js';

export function makePerformance({ now }) {
  const performance = {};
  const functions = {
    now() {
      return now();
    },
  };
  defineHidden(performance, 'now', functions.now);
  defineHidden(performance, 'timeOrigin', 0);
  tag(performance, 'Performance');
  return performance;
}
