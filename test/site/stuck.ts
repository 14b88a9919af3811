// A page of the test site that answers nothing more, without a loop that would take a processor from the other tests.

/** Run in a page: from the next task on it waits for an answer that never comes, and nothing else runs in it. */
export const STUCK = `setTimeout(() => {
  const request = new XMLHttpRequest();
  request.open('GET', '/never-answers', false);
  request.send();
}, 0)`;
