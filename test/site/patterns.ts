// Pages of our own in the shape of the W3C's ARIA patterns, and of the rules for names: `data-says` is the role and name that an element must have.

/** Pattern → what stands in the body of its page. */
const BODIES = {
  accordion: `
    <h3><button aria-expanded="true" aria-controls="s1" id="a1" data-says='button "Shipping"'>Shipping</button></h3>
    <div id="s1" role="region" aria-labelledby="a1" data-says='region "Shipping"'><label>Street <input data-says='textbox "Street"'></label></div>
    <h3 data-says='heading "Payment"'><button aria-expanded="false" aria-controls="s2" data-says='button "Payment"'>Payment <span aria-hidden="true">+</span></button></h3>
    <div id="s2" role="region" aria-label="Payment" hidden>Card</div>`,
  alert: `
    <button data-says='button "Send"'>Send</button>
    <div role="alert" data-says='alert ""'><p>The message <b>was not sent</b>.</p></div>`,
  'alert dialog': `
    <div role="alertdialog" aria-modal="true" aria-labelledby="t" aria-describedby="d" data-says='alertdialog "Discard the draft?"'>
      <h2 id="t" data-says='heading "Discard the draft?"'>Discard the draft?</h2><p id="d">It cannot be had back.</p>
      <button data-says='button "No"'>No</button><button data-says='button "Yes"'>Yes</button></div>`,
  breadcrumb: `
    <nav aria-label="Breadcrumb" data-says='navigation "Breadcrumb"'><ol data-says='list ""'>
      <li><a href="#a" data-says='link "Home"'>Home</a></li><li><a href="#b" data-says='link "Garden"'>Garden</a></li>
      <li><a href="#c" aria-current="page" data-says='link "Spades"'>Spades</a></li></ol></nav>`,
  button: `
    <div tabindex="0" role="button" data-says='button "Print the page"'>Print <span>the page</span></div>
    <a tabindex="0" role="button" aria-pressed="false" data-says='button "Mute"'>Mute<svg aria-hidden="true" width="9" height="9"><title>Icon</title></svg></a>
    <button aria-label="Close" data-says='button "Close"'>x</button>
    <button title="Undo" data-says='button "Undo"'></button>`,
  carousel: `
    <section aria-roledescription="carousel" aria-label="Offers" data-says='region "Offers"'>
      <button aria-label="Stop turning" data-says='button "Stop turning"'>||</button>
      <button aria-label="Next slide" aria-controls="slides" data-says='button "Next slide"'>&gt;</button>
      <div id="slides" aria-live="off">
        <div role="group" aria-roledescription="slide" aria-label="1 of 2" data-says='group "1 of 2"'><a href="#t" data-says='link "Tents in summer"'><img alt="Tents in summer" width="60" height="40" src="data:,"></a></div>
        <div role="group" aria-roledescription="slide" aria-label="2 of 2" hidden>Boots</div></div></section>`,
  checkbox: `
    <h3 id="g">Toppings</h3>
    <div role="group" aria-labelledby="g" data-says='group "Toppings"'>
      <div role="checkbox" aria-checked="mixed" tabindex="0" data-says='checkbox "All toppings"'>All toppings</div>
      <div role="checkbox" aria-checked="true" tabindex="0" aria-labelledby="ol" data-says='checkbox "Olives, black"'></div><span id="ol">Olives, <i>black</i></span>
      <label><input type="checkbox" data-says='checkbox "Basil"'> Basil</label></div>`,
  combobox: `
    <label for="c" id="cl">State</label>
    <div><input id="c" role="combobox" aria-autocomplete="list" aria-expanded="true" aria-controls="cb" aria-activedescendant="o2" data-says='combobox "State"' value="A">
      <button tabindex="-1" aria-label="States" aria-expanded="true" aria-controls="cb" data-says='button "States"'>v</button></div>
    <ul id="cb" role="listbox" aria-label="States" data-says='listbox "States"'><li role="option" data-says='option "Alabama"'>Alabama</li>
      <li id="o2" role="option" aria-selected="true" data-says='option "Alaska"'>Alaska</li></ul>
    <div id="sl">Size</div><div role="combobox" tabindex="0" aria-haspopup="listbox" aria-expanded="false" aria-labelledby="sl" data-says='combobox "Size"'>Medium</div>`,
  dialog: `
    <div role="dialog" aria-modal="true" aria-labelledby="dt" data-says='dialog "Add an address"'><h2 id="dt">Add an address</h2>
      <label><span>Street</span><input data-says='textbox "Street"'></label>
      <label for="zip">Code <em>(5 digits)</em></label><input id="zip" data-says='textbox "Code (5 digits)"'>
      <button data-says='button "Add"'>Add</button></div>`,
  disclosure: `
    <button aria-expanded="false" aria-controls="more" data-says='button "What does it cost?"'>What does it cost?</button><div id="more" hidden>Nothing.</div>
    <details open><summary data-says='summary "Where is it?"'>Where is it?</summary><p>Here.</p></details>
    <nav aria-label="Site"><ul><li><button aria-expanded="true" aria-controls="sub" data-says='button "About"'>About</button>
      <ul id="sub"><li><a href="#o" data-says='link "Overview"'>Overview</a></li></ul></li></ul></nav>`,
  feed: `
    <div role="feed" aria-busy="false" aria-label="Restaurants" data-says='feed "Restaurants"'>
      <article aria-posinset="1" aria-setsize="2" aria-labelledby="r1" tabindex="0" data-says='article "The Anchor"'><h3 id="r1">The Anchor</h3><button aria-label="Bookmark The Anchor" data-says='button "Bookmark The Anchor"'>+</button></article>
      <article aria-posinset="2" aria-setsize="2" aria-labelledby="r2" tabindex="0" data-says='article "Lemon Tree"'><h3 id="r2">Lemon Tree</h3></article></div>`,
  grid: `
    <h4 id="gl">Transactions</h4>
    <table role="grid" aria-labelledby="gl" data-says='grid "Transactions"'><tbody>
      <tr data-says='row "Date Amount"'><th aria-sort="ascending" data-says='columnheader "Date"'><span tabindex="0" role="button" data-says='button "Date"'>Date</span></th><th data-says='columnheader "Amount"'>Amount</th></tr>
      <tr><td tabindex="0" data-says='gridcell "1 May"'>1 May</td><td tabindex="-1" data-says='gridcell "$12"'>$12</td></tr></tbody></table>
    <div role="grid" aria-label="Dates" data-says='grid "Dates"'><div role="row"><div role="gridcell" tabindex="0" aria-selected="true" data-says='gridcell "14"'>14</div><div role="gridcell" tabindex="-1">15</div></div></div>`,
  landmarks: `
    <header data-says='banner ""'><h1 data-says='heading "Garden"'>Garden</h1></header>
    <nav aria-labelledby="nh" data-says='navigation "Pages"'><h2 id="nh">Pages</h2><a href="#x">Start</a></nav>
    <main data-says='main ""'><section aria-labelledby="sh" data-says='region "Roses"'><h2 id="sh">Roses</h2></section>
      <form aria-label="Order" data-says='form "Order"'><input type="submit" value="Send it" data-says='button "Send it"'></form></main>
    <div role="search" aria-label="Plants" data-says='search "Plants"'><input type="search" aria-label="Name of a plant" data-says='searchbox "Name of a plant"'></div>
    <aside aria-label="Weather" data-says='complementary "Weather"'>Rain</aside><footer data-says='contentinfo ""'>2026</footer>`,
  link: `
    <span tabindex="0" role="link" data-says='link "The source"'>The source</span>
    <img tabindex="0" role="link" alt="The map" src="data:," width="20" height="20" data-says='link "The map"'>
    <span tabindex="0" role="link" aria-label="Home page" data-says='link "Home page"'>home</span>
    <a href="#n" data-says='link "Next: the chapter on bees"'>Next: <cite>the chapter</cite> on <b>bees</b></a>`,
  listbox: `
    <span id="ll">Choose an element:</span>
    <ul role="listbox" tabindex="0" aria-labelledby="ll" aria-activedescendant="np" data-says='listbox "Choose an element:"'>
      <li role="option" id="np" aria-selected="true" data-says='option "Neptunium"'><span aria-hidden="true">* </span>Neptunium</li><li role="option" data-says='option "Plutonium"'>Plutonium</li>
      <ul role="group" aria-label="Noble" data-says='group "Noble"'><li role="option" data-says='option "Argon"'>Argon</li></ul></ul>`,
  'menu bar': `
    <ul role="menubar" aria-label="Text" data-says='menubar "Text"'>
      <li role="none"><span role="menuitem" tabindex="0" aria-haspopup="true" aria-expanded="true" data-says='menuitem "Font"'>Font</span>
        <ul role="menu" aria-label="Font" data-says='menu "Font"'><li role="menuitemradio" aria-checked="true" tabindex="-1" data-says='menuitemradio "Serif"'>Serif</li>
          <li role="separator" data-says='separator ""'></li><li role="menuitemcheckbox" aria-checked="false" tabindex="-1" data-says='menuitemcheckbox "Bold"'>Bold</li></ul></li>
      <li role="none"><a role="menuitem" href="#h" tabindex="-1" data-says='menuitem "Help"'>Help</a></li></ul>`,
  'menu button': `
    <button id="mb" aria-haspopup="true" aria-expanded="true" aria-controls="mm" data-says='button "Actions"'>Actions</button>
    <ul id="mm" role="menu" aria-labelledby="mb" tabindex="-1" data-says='menu "Actions"'><li role="menuitem" tabindex="-1" data-says='menuitem "Cut Ctrl+X"'>Cut <kbd>Ctrl+X</kbd></li>
      <li role="menuitem" aria-disabled="true" tabindex="-1" data-says='menuitem "Paste"'>Paste</li></ul>`,
  meter: `
    <div id="ml">Battery</div><div role="meter" aria-valuenow="30" aria-valuemin="0" aria-valuemax="100" aria-valuetext="30 %, two hours" aria-labelledby="ml" data-says='meter "Battery"'><svg width="30" height="9"></svg></div>
    <label for="disk">Disk</label> <meter id="disk" value="0.4" data-says='meter "Disk"'>40 %</meter>
    <progress aria-label="Upload" value="3" max="9" data-says='progressbar "Upload"'></progress>`,
  'radio group': `
    <h3 id="rg">Crust</h3><div role="radiogroup" aria-labelledby="rg" data-says='radiogroup "Crust"'>
      <div role="radio" aria-checked="false" tabindex="-1" data-says='radio "Thin"'>Thin</div><div role="radio" aria-checked="true" tabindex="0" data-says='radio "Deep dish"'>Deep <span>dish</span></div></div>
    <fieldset data-says='group "Delivery"'><legend>Delivery</legend><label><input type="radio" name="d" data-says='radio "At home"'>At home</label>
      <input type="radio" name="d" id="sh"><label for="sh">At the shop</label></fieldset>`,
  slider: `
    <span id="sr">Red</span><div role="slider" tabindex="0" aria-labelledby="sr" aria-valuemin="0" aria-valuemax="255" aria-valuenow="128" data-says='slider "Red"'></div>
    <label>Loudness <input type="range" value="3" max="10" data-says='slider "Loudness"'></label>
    <svg width="90" height="30" role="none"><g role="slider" tabindex="0" aria-label="Warmth" aria-valuenow="20" data-says='slider "Warmth"'><rect width="9" height="9"/></g></svg>`,
  'slider with two thumbs': `
    <div role="group" aria-label="Price" data-says='group "Price"'><div role="slider" tabindex="0" aria-label="Least" aria-valuenow="20" aria-valuemin="0" aria-valuemax="80" data-says='slider "Least"'>20</div>
      <div role="slider" tabindex="0" aria-label="Most" aria-valuenow="80" aria-valuemin="20" aria-valuemax="99" data-says='slider "Most"'>80</div></div>`,
  spinbutton: `
    <div role="group" aria-labelledby="sp" data-says='group "Guests"'><h3 id="sp">Guests</h3>
      <button tabindex="-1" aria-label="Less" data-says='button "Less"'>-</button><div role="spinbutton" tabindex="0" aria-valuenow="2" aria-valuetext="two" aria-label="Adults" data-says='spinbutton "Adults"'>2</div>
      <label>Children <input type="number" value="1" data-says='spinbutton "Children"'></label></div>`,
  switch: `
    <div role="switch" aria-checked="false" tabindex="0" data-says='switch "Notices"'><span>Notices</span> <span aria-hidden="true">Off</span></div>
    <label><input type="checkbox" role="switch" checked data-says='switch "Lights"'>Lights</label>
    <button role="switch" aria-checked="true" aria-labelledby="sw" data-says='switch "Heating"'>On</button><span id="sw">Heating</span>`,
  table: `
    <div role="table" aria-label="Students" data-says='table "Students"'><div role="rowgroup"><div role="row" data-says='row ""'><span role="columnheader" data-says='columnheader "First name"'>First name</span><span role="columnheader">Town</span></div></div>
      <div role="rowgroup"><div role="row"><span role="cell" data-says='cell "Fred"'>Fred</span><span role="cell">Rome</span></div></div></div>
    <table data-says='table "Tides"'><caption>Tides</caption><tr><th scope="col" data-says='columnheader "Port"'>Port</th><th scope="col">Time</th></tr><tr><th scope="row" data-says='rowheader "Brest"'>Brest</th><td data-says='cell "4:20"'>4:20</td></tr></table>`,
  tabs: `
    <h3 id="tl">Composers</h3><div role="tablist" aria-labelledby="tl" data-says='tablist "Composers"'>
      <button role="tab" id="t1" aria-selected="true" aria-controls="p1" data-says='tab "Maria Ahlefeldt"'>Maria Ahlefeldt</button><button role="tab" id="t2" aria-selected="false" tabindex="-1" aria-controls="p2" data-says='tab "Carl Andersen"'>Carl Andersen</button></div>
    <div id="p1" role="tabpanel" tabindex="0" aria-labelledby="t1" data-says='tabpanel "Maria Ahlefeldt"'><p>Born in 1755.</p></div><div id="p2" role="tabpanel" aria-labelledby="t2" hidden>Born in 1847.</div>`,
  toolbar: `
    <div role="toolbar" aria-label="Formatting" aria-controls="ed" data-says='toolbar "Formatting"'>
      <button aria-pressed="true" aria-label="Bold" data-says='button "Bold"'><b>B</b></button>
      <div role="radiogroup" aria-label="Alignment" data-says='radiogroup "Alignment"'><button role="radio" aria-checked="true" data-says='radio "Left"'>Left</button><button role="radio" aria-checked="false" tabindex="-1">Right</button></div>
      <label><input type="checkbox" data-says='checkbox "Night mode"'>Night mode</label><a href="#help" data-says='link "Help"'>Help</a></div>
    <textarea id="ed" aria-label="Letter" data-says='textbox "Letter"'>Dear</textarea>`,
  tooltip: `
    <button aria-describedby="tt" data-says='button "Save"'>Save</button><div role="tooltip" id="tt" data-says='tooltip "Saves the page"'>Saves the page</div>
    <input placeholder="Search" title="In all books" data-says='textbox "In all books"'>`,
  tree: `
    <h3 id="fv">Files</h3><ul role="tree" aria-labelledby="fv" data-says='tree "Files"'>
      <li role="treeitem" aria-expanded="true" aria-selected="false" tabindex="0" data-says='treeitem "Projects"'><span>Projects</span>
        <ul role="group"><li role="treeitem" aria-selected="true" tabindex="-1" data-says='treeitem "notes.txt"'>notes.txt</li>
          <li role="treeitem" aria-expanded="false" aria-selected="false" tabindex="-1" aria-label="Project 3" data-says='treeitem "Project 3"'>3</li></ul></li></ul>
    <ul role="tree" aria-label="Pages"><li role="none"><a role="treeitem" href="#p" aria-expanded="true" aria-owns="kids" data-says='treeitem "About"'>About</a><ul id="kids" role="group"><li role="none"><a role="treeitem" href="#q" data-says='treeitem "History"'>History</a></li></ul></li></ul>`,
  treegrid: `
    <table role="treegrid" aria-label="Inbox" data-says='treegrid "Inbox"'><tbody>
      <tr role="row" aria-level="1" aria-expanded="true" tabindex="0" data-says='row "Treegrids are great Fred"'><td role="gridcell" data-says='gridcell "Treegrids are great"'>Treegrids are great</td><td role="gridcell"><a href="#f" data-says='link "Fred"'>Fred</a></td></tr>
      <tr role="row" aria-level="2" tabindex="-1"><td role="gridcell">Re: great</td><td role="gridcell" data-says='gridcell "Ann"'>Ann</td></tr></tbody></table>`,
  'window splitter': `
    <div id="wl">Contents</div><div role="separator" tabindex="0" aria-valuenow="40" aria-valuemin="0" aria-valuemax="100" aria-controls="wl" aria-label="Contents" data-says='separator "Contents"' style="width:4px;height:60px;cursor:col-resize"></div><div>Chapter</div>`,

  'names: hidden words': `
    <span id="n1" hidden>Hidden <b>words</b></span><button aria-labelledby="n1" data-says='button "Hidden words"'>seen</button>
    <button data-says='button "Pay"'>Pay<span style="display:none"> never</span><span style="visibility:hidden"> nor this</span></button>
    <button data-says='button "Pay now"'>Pay <span style="position:absolute;left:-9999px">now</span></button>`,
  'names: by other elements': `
    <span id="a">Delete</span><span id="b">report.pdf</span>
    <button id="self" aria-label="Remove" aria-labelledby="self b" data-says='button "Remove report.pdf"'>x</button>
    <button aria-labelledby="a b" aria-label="not this" data-says='button "Delete report.pdf"'>nor this</button>
    <button aria-labelledby="nowhere" data-says='button "Own words"'>Own words</button>
    <span id="c" aria-labelledby="b">not followed twice</span><button aria-labelledby="c" data-says='button "not followed twice"'>x</button>`,
  'names: a control within': `
    <label><input type="checkbox" data-says='checkbox "Wake me after 5 minutes"'>Wake me after <input type="text" value="5" aria-label="how many" data-says='textbox "how many"'> minutes</label>
    <label><input type="checkbox" data-says='checkbox "Flash 3 times"'>Flash <span role="slider" tabindex="0" aria-label="count" aria-valuenow="3" aria-valuemin="1" aria-valuemax="9" data-says='slider "count"'>x</span> times</label>
    <label><input type="checkbox" data-says='checkbox "Sort by size"'>Sort by <select aria-label="order" data-says='combobox "order"'><option>name</option><option selected>size</option></select></label>`,
  'names: from attributes': `
    <img alt="A red kite" src="data:," width="9" height="9" data-says='image "A red kite"'>
    <input type="image" alt="Search" src="data:," data-says='button "Search"'><input type="submit" data-says='button "Submit"'><input type="reset" data-says='button "Reset"'>
    <input type="button" value="Count" data-says='button "Count"'><input placeholder="Your town" data-says='textbox "Your town"'><input aria-placeholder="Your street" data-says='textbox "Your street"'>
    <iframe title="A map" srcdoc="<p>Map</p>" width="90" height="40" data-says='iframe "A map"'></iframe>
    <map name="m"><area shape="rect" coords="0,0,9,9" href="#z" alt="Zone" data-says='link "Zone"'></map><img usemap="#m" alt="Plan" width="19" height="19" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=" data-says='image "Plan"'>
    <select aria-label="Car"><optgroup label="Small" data-says='group "Small"'><option data-says='option "Mini"'>Mini</option></optgroup></select>`,
  'names: from content': `
    <style>#before::before{content:"Step "} #alt::after{content:"\\2192" / " forward"} .block{display:block}</style>
    <button id="before" data-says='button "Step 1"'>1</button><button id="alt" data-says='button "Go forward"'>Go</button>
    <button data-says='button "Buy now"'><span class="block">Buy</span><span class="block">now</span></button>
    <button data-says='button "download"'><b>down</b><i>load</i></button>
    <a href="#l" data-says='link "Star Rate it"'><svg width="9" height="9"><title>Star</title></svg> Rate it</a>
    <h2 data-says='heading "Chapter 2 Bees"'>Chapter 2<br>Bees</h2>
    <button data-says='button "Like (3)"'>Like <span title="not this">(3)</span></button>`,
  'names: titles, inert parts, headers': `
    <ul><li title="Tent" data-says='listitem ""'>Tent</li><li title="For two" data-says='listitem "For two"'>Tent</li></ul>
    <div role="textbox" tabindex="0" title="Athens" data-says='textbox ""'>Athens</div>
    <div inert><b id="i1">Label</b><button id="i2" aria-label="Calendar">c</button></div>
    <div role="listbox" aria-labelledby="i1" aria-expanded="true" data-says='listbox ""'>x</div><button aria-labelledby="i2" data-says='button "Calendar"'>own</button>
    <section role="dialog" aria-label="Days" data-says='dialog "Days"'><header data-says='banner ""'>May</header></section>
    <section aria-label="Days" data-says='region "Days"'><header data-says='sectionheader ""'>June</header></section>
    <span style="display:block" draggable="false" tabindex="0" data-says='group ""'>9</span>`,
} as const;

export interface Pattern {
  name: string;
  html: string;
}

export const patterns: readonly Pattern[] = Object.entries(BODIES).map(([name, body]) => ({
  name,
  html: `<!doctype html><html lang="en"><head><title>${name}</title></head><body>${body}</body></html>`,
}));
