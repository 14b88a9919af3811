// What a page records of what was done with it; jobs are judged by it.
export function record(facts) {
  window.outcome = { ...window.outcome, ...facts };
}
