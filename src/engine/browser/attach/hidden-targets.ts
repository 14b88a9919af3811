// Which pages of an attached browser are not shown: those of the browser itself, of its extensions and its tools, and files of this machine.
import { showsFile } from '../../../policy/urls.ts';

const OWN_PAGES = /^(?:chrome|chrome-extension|chrome-untrusted|devtools|edge|brave|extension):/i;

/** An empty tab is where a person begins; what stands there differs from one browser to the next. */
const NEW_TAB = /^(?:chrome|edge|brave):\/\/(?:newtab|new-tab-page|new-tab-page-third-party)\/?(?:[?#]|$)/i;

/** A tab of ours that stands for a moment, to switch to. */
export const SPARE = 'about:blank#tabwright-spare';

export const isHidden = (url: string): boolean =>
  url === SPARE || showsFile(url) || (OWN_PAGES.test(url) && !NEW_TAB.test(url));
