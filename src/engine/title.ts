// The title of a page as Chrome tells it of a target.

/** Of a page without a title Chrome tells the url, mostly without its scheme: '' then. */
export function ownTitle(url: string, title: string): string {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return url.endsWith(title) && title.includes(host) ? '' : title;
}
