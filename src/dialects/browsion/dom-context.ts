// The script behind get_dom_context: elements that can be used, form fields and links, each with a CSS selector of its own.

export const CONTEXT = `(() => {
  const MOST = 200, LONGEST = 200;
  const short = text => (text ?? '').replace(/\\s+/g, ' ').trim().slice(0, LONGEST) || undefined;
  const step = el => {
    if (el.id) return '#' + CSS.escape(el.id);
    const same = [...(el.parentNode?.children ?? [])].filter(other => other.localName === el.localName);
    return el.localName + (same.length > 1 ? ':nth-of-type(' + (same.indexOf(el) + 1) + ')' : '');
  };
  const path = el => {
    const root = el.getRootNode();
    const steps = [];
    for (let at = el; at && at.nodeType === 1; at = at.parentElement) {
      steps.unshift(step(at));
      if (at.id && root.querySelectorAll('#' + CSS.escape(at.id)).length === 1) break;
    }
    // Selectors look into open shadow roots by themselves.
    return (root instanceof ShadowRoot ? path(root.host) + ' ' : '') + steps.join(' > ');
  };
  const isVisible = el => el.checkVisibility({ visibilityProperty: true }) && el.getClientRects().length > 0;
  const isField = el => /^(input|select|textarea|button)$/.test(el.localName);
  const tell = el => ({
    tag: el.localName,
    id: el.id || undefined,
    classes: [...el.classList],
    selector: path(el),
    text: el.type === 'password' ? undefined : short(el.innerText || (el.localName === 'select' ? '' : el.value)),
    input_type: isField(el) ? el.type : undefined,
    placeholder: el.placeholder || undefined,
    aria_label: el.getAttribute('aria-label') || undefined,
    href: el.localName === 'a' ? el.href || undefined : undefined,
    visible: isVisible(el),
    clickable: !el.matches(':disabled'),
  });
  const all = [];
  const visit = root => {
    for (const el of root.querySelectorAll('*')) {
      if (el.matches('a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=tab],[role=menuitem],[role=checkbox],[onclick],[tabindex],[contenteditable=""],[contenteditable=true]')) all.push(el);
      if (el.shadowRoot) visit(el.shadowRoot);
    }
  };
  visit(document);
  const some = test => all.filter(test).slice(0, MOST).map(tell);
  const links = some(el => el.localName === 'a');
  return { url: location.href, title: document.title || undefined, elements: some(isVisible), forms: some(isField), links };
})()`;
