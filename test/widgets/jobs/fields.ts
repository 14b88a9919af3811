// Jobs on fields of libraries: dates, lists with a search, masks, codes.
import type { Jobs } from '../job.ts';

export const FIELD_JOBS: Jobs = {
  'react-datepicker': [
    {
      name: 'type a day',
      steps: [{ fill: '"Arrival"', with: '05/20/2026' }, { press: 'Enter' }],
      expect: { day: '2026-5-20' },
    },
    {
      name: 'choose a day',
      steps: [{ click: '"Arrival"' }, { click: '"Choose Wednesday, May 20th, 2026"' }],
      expect: { day: '2026-5-20' },
    },
    {
      name: 'choose a range',
      steps: [{ click: '"Choose Tuesday, May 12th, 2026"' }, { click: '"Choose Friday, May 15th, 2026"' }],
      expect: { range: ['2026-5-12', '2026-5-15'] },
    },
  ],
  flatpickr: [
    {
      name: 'choose a day',
      steps: [{ click: '"Departure"' }, { click: '"May 21, 2026"' }],
      expect: { day: '2026-05-21' },
    },
    {
      name: 'type a day with a time',
      steps: [{ fill: '"Meeting"', with: '2026-05-21 14:30' }, { press: 'Enter' }],
      expect: { meeting: '2026-05-21 14:30' },
    },
  ],
  select2: [
    { name: 'choose a city', steps: [{ select: 'Cairo', in: 'combobox "City"' }], expect: { city: 'Cairo' } },
    {
      name: 'search a city',
      steps: [{ click: 'combobox "Athens"' }, { type: 'dub' }, { press: 'Enter' }],
      expect: { city: 'Dublin' },
    },
    { name: 'choose a topping', steps: [{ select: 'Onions', in: '"Toppings"' }], expect: { toppings: ['Onions'] } },
  ],
  'tom-select': [
    { name: 'choose a country', steps: [{ select: 'Fiji', in: 'combobox "Country"' }], expect: { country: 'Fiji' } },
    {
      name: 'add a tag',
      steps: [{ click: 'combobox "Tags"' }, { type: 'green' }, { press: 'Enter' }],
      expect: { tags: ['red', 'blue', 'green'] },
    },
    { name: 'remove a tag', steps: [{ click: '"×" in "red"' }], expect: { tags: ['blue'] } },
  ],
  'react-select': [
    { name: 'choose a theme', steps: [{ select: 'Desert', in: 'combobox "Theme"' }], expect: { theme: 'Desert' } },
    {
      name: 'add a place',
      steps: [{ select: 'Meadow', in: 'combobox "Places"' }],
      expect: { places: ['Ocean', 'Meadow'] },
    },
    { name: 'remove a place', steps: [{ click: '"Remove Ocean"' }], expect: { places: [] } },
    {
      name: 'make a colour',
      steps: [{ click: 'combobox "Colour"' }, { type: 'Amber' }, { press: 'Enter' }],
      expect: { colour: 'Amber' },
    },
  ],
  downshift: [
    { name: 'choose a book', steps: [{ select: 'Walden', in: 'combobox "Book"' }], expect: { book: 'Walden' } },
    {
      name: 'search a book',
      steps: [{ click: 'combobox "Book"' }, { type: 'uly' }, { click: '"Ulysses"' }],
      expect: { book: 'Ulysses' },
    },
    { name: 'choose a size', steps: [{ select: 'Large', in: 'combobox "Size"' }], expect: { size: 'Large' } },
  ],
  masked: [
    {
      name: 'fill a telephone number',
      steps: [{ fill: '"Phone"', with: '5551234567' }],
      expect: { phone: '+1 (555) 123-4567' },
    },
    { name: 'fill the code', steps: [{ fill: '"Code"', with: '123456' }], expect: { code: '123456' } },
    { name: 'type the pin over its boxes', steps: [{ click: '"Digit 1"' }, { type: '4711' }], expect: { pin: '4711' } },
  ],
};
