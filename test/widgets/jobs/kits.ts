// Jobs on component libraries for Vue, of web components, and of plain markup.
import type { Jobs } from '../job.ts';

export const KIT_JOBS: Jobs = {
  shoelace: [
    { name: 'choose a planet', steps: [{ select: 'Saturn', in: 'combobox "Planet"' }], expect: { planet: 'saturn' } },
    {
      name: 'choose two moons and name the pilot',
      steps: [
        { select: 'Titan', in: 'combobox "Moons"' },
        { select: 'Europa', in: 'combobox "Moons"' },
        { fill: 'textbox "Pilot"', with: 'Ada' },
      ],
      expect: { moons: ['titan', 'europa'], pilot: 'Ada' },
    },
    { name: 'fill the tank', steps: [{ fill: 'slider "Fuel"', with: '55' }], expect: { fuel: 55 } },
    { name: 'set the trust', steps: [{ fill: 'slider "Trust"', with: '4' }], expect: { trust: 4 } },
    { name: 'raise the shield', steps: [{ click: 'switch "Shield"' }], expect: { shield: true } },
    {
      name: 'paint the hull',
      steps: [{ fill: 'textbox "Current value"', with: '#ff0000' }, { press: 'Enter' }],
      expect: { hull: '#ff0000' },
    },
    {
      name: 'give an order',
      steps: [{ click: 'button "Orders"' }, { click: 'menuitem "Dock"' }],
      expect: { order: 'dock' },
    },
    {
      name: 'land',
      steps: [{ click: 'button "Land"' }, { click: 'button "Yes, land"' }],
      expect: { landed: true },
    },
  ],
  'material-web': [
    { name: 'choose a tree', steps: [{ select: 'Pine', in: 'combobox "Tree"' }], expect: { tree: 'pine' } },
    { name: 'name the keeper', steps: [{ fill: 'textbox "Keeper"', with: 'Ida' }], expect: { keeper: 'Ida' } },
    { name: 'set the shade', steps: [{ fill: 'slider "Shade"', with: '80' }], expect: { shade: 80 } },
    {
      name: 'fence it and light it',
      steps: [{ click: 'checkbox "Fenced"' }, { click: 'switch "Lights"' }],
      expect: { fenced: true, lights: true },
    },
    { name: 'choose the soil', steps: [{ click: 'radio "Sand"' }], expect: { soil: 'sand' } },
    { name: 'show the photos', steps: [{ click: 'tab "Photos"' }], expect: { tab: 1 } },
    { name: 'choose a chip', steps: [{ click: '"Shady"' }], expect: { shady: true } },
    {
      name: 'remove in a dialog',
      steps: [{ click: 'button "Remove"' }, { click: 'button "Remove it"' }],
      expect: { removed: true },
    },
  ],
  vuetify: [
    { name: 'choose a state', steps: [{ select: 'Ohio', in: 'combobox "State"' }], expect: { state: 'Ohio' } },
    {
      name: 'choose two meals and a state',
      steps: [
        { select: 'Lunch', in: 'combobox "Meals"' },
        { select: 'Dinner', in: 'combobox "Meals"' },
        { select: 'Utah', in: 'combobox "State"' },
      ],
      expect: { meals: ['Lunch', 'Dinner'], state: 'Utah' },
    },
    { name: 'choose an airport', steps: [{ fill: 'combobox "Airport"', with: 'Osaka' }], expect: { airport: 'Osaka' } },
    {
      name: 'give a mood of its own',
      steps: [{ fill: 'combobox "Mood"', with: 'Dreamy' }, { press: 'Enter' }],
      expect: { mood: 'Dreamy' },
    },
    { name: 'set the level', steps: [{ fill: 'slider', with: '33' }], expect: { level: 33 } },
    { name: 'give a score', steps: [{ click: '"Score 4 of 5"' }], expect: { score: 4 } },
    { name: 'give the code', steps: [{ fill: '"Code"', with: '4711' }], expect: { code: '4711' } },
    { name: 'set the copies', steps: [{ fill: '"Copies"', with: '12' }], expect: { copies: 12 } },
    { name: 'show the news', steps: [{ click: 'tab "News"' }], expect: { tab: 'News' } },
  ],
  primevue: [
    { name: 'choose a drink', steps: [{ select: 'Juice', in: 'combobox "Drink"' }], expect: { drink: 'Juice' } },
    {
      name: 'choose two days and a drink',
      steps: [
        { select: 'Monday', in: 'combobox "Days"' },
        { select: 'Sunday', in: 'combobox "Days"' },
        { select: 'Tea', in: 'combobox "Drink"' },
      ],
      expect: { days: ['Monday', 'Sunday'], drink: 'Tea' },
    },
    { name: 'choose a herb', steps: [{ fill: 'combobox "Herb"', with: 'Thyme' }], expect: { herb: 'Thyme' } },
    {
      name: 'choose a home by its country',
      steps: [{ select: 'Australia / Sydney', in: 'combobox "Home"' }],
      expect: { home: 'Sydney' },
    },
    {
      name: 'choose a day in the calendar',
      steps: [{ click: '"Due"' }, { click: '"21"' }],
      expect: { due: new Date(2026, 4, 21).toJSON() },
    },
    { name: 'fill the plate', steps: [{ fill: 'textbox "Plate"', with: 'ab-1234' }], expect: { plate: 'ab-1234' } },
    { name: 'set the cost', steps: [{ fill: '"Cost"', with: '1250' }, { press: 'Tab' }], expect: { cost: 1250 } },
    { name: 'give the token', steps: [{ fill: 'textbox #2', with: '4711' }], expect: { token: '4711' } },
    { name: 'rate the taste', steps: [{ click: 'radio "4 stars"' }], expect: { taste: 4 } },
    { name: 'set the spice', steps: [{ fill: 'slider', with: '60' }], expect: { spice: 60 } },
    { name: 'choose a cup', steps: [{ select: 'Large cup', in: 'listbox "Cup"' }], expect: { cup: 'Large cup' } },
    {
      name: 'put the oil into the basket',
      steps: [{ click: 'option "Oil"' }, { click: 'button "Move to Target"' }],
      expect: { basket: [['Salt'], ['Oil']] },
    },
  ],
  bootstrap: [
    {
      name: 'sort by the menu',
      steps: [{ click: 'button "Sort by"' }, { click: '"Cheapest"' }],
      expect: { sort: 'Cheapest' },
    },
    { name: 'show what is saved', steps: [{ click: 'tab "Saved"' }], expect: { tab: 'Saved' } },
    { name: 'show what is in stock', steps: [{ click: '"In stock only"' }], expect: { stock: true } },
    { name: 'set the most', steps: [{ fill: 'slider "Most"', with: '250' }], expect: { most: 250 } },
    { name: 'show rows', steps: [{ click: 'radio "Rows"' }], expect: { view: 'rows' } },
    { name: 'read about shipping', steps: [{ click: 'button "Shipping"' }], expect: { help: 'shipping' } },
    {
      name: 'empty the cart in a dialog',
      steps: [{ click: 'button "Empty the cart"' }, { click: 'button "Empty it"' }],
      expect: { cart: 'empty' },
    },
  ],
};
