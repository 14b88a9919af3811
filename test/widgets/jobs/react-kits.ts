// Jobs on component libraries for React.
import type { Jobs } from '../job.ts';

export const REACT_KIT_JOBS: Jobs = {
  mui: [
    { name: 'choose a country', steps: [{ select: 'Spain', in: 'combobox "Country"' }], expect: { country: 'Spain' } },
    { name: 'choose a film', steps: [{ select: 'Brazil', in: 'combobox "Film"' }], expect: { film: 'Brazil' } },
    {
      name: 'search a film',
      steps: [{ click: 'combobox "Film"' }, { type: 'casa' }, { click: 'option "Casablanca"' }],
      expect: { film: 'Casablanca' },
    },
    {
      name: 'add two labels',
      steps: [
        { select: 'Home', in: 'combobox "Labels"' },
        { select: 'Work', in: 'combobox "Labels"' },
      ],
      expect: { labels: ['Urgent', 'Home', 'Work'] },
    },
    { name: 'give four stars', steps: [{ click: 'radio "4 Stars"' }], expect: { stars: 4 } },
    { name: 'set the volume', steps: [{ fill: 'slider "Volume"', with: '75' }], expect: { volume: 75 } },
    {
      name: 'choose a file in a folder',
      steps: [{ click: '"Pictures"' }, { click: '"Forest"' }],
      expect: { file: 'forest' },
    },
    { name: 'show the map', steps: [{ click: 'tab "Map"' }], expect: { view: 'map' } },
    {
      name: 'rename in a dialog',
      steps: [{ click: 'button "Rename"' }, { fill: 'textbox "Name"', with: 'Plan' }, { click: 'button "Save"' }],
      expect: { name: 'Plan' },
    },
  ],
  antd: [
    { name: 'choose a fruit', steps: [{ select: 'Cherry', in: 'combobox "Fruit"' }], expect: { fruit: 'Cherry' } },
    {
      name: 'choose a room far down the list',
      steps: [{ select: 'Room 250', in: 'combobox "Room"' }],
      expect: { room: 'Room 250' },
    },
    {
      name: 'choose two skills and a fruit',
      steps: [
        { select: 'Rowing', in: 'combobox "Skills"' },
        { select: 'Chess', in: 'combobox "Skills"' },
        { select: 'Apple', in: 'combobox "Fruit"' },
      ],
      expect: { skills: ['Rowing', 'Chess'], fruit: 'Apple' },
    },
    {
      name: 'choose a city by its country',
      steps: [{ select: 'Italy / Milan', in: 'combobox "City"' }],
      expect: { city: ['italy', 'milan'] },
    },
    {
      name: 'choose a team in the tree',
      steps: [{ select: 'Design', in: 'combobox "Team"' }],
      expect: { team: 'design' },
    },
    {
      name: 'type a birthday',
      steps: [{ fill: '"Birthday"', with: '1990-05-20' }, { press: 'Enter' }],
      expect: { birthday: '1990-05-20' },
    },
    {
      name: 'give the days of a stay',
      steps: [
        { fill: '"Stay"', with: '2026-05-12' },
        { press: 'Enter' },
        { fill: 'textbox "End date"', with: '2026-05-15' },
        { press: 'Enter' },
      ],
      expect: { stay: ['2026-05-12', '2026-05-15'] },
    },
    { name: 'set the guests', steps: [{ fill: 'spinbutton "Guests"', with: '4' }], expect: { guests: 4 } },
    { name: 'rate the comfort', steps: [{ click: 'radio #4' }], expect: { comfort: 4 } },
    { name: 'set the price', steps: [{ fill: 'slider', with: '120' }], expect: { price: 120 } },
    {
      name: 'choose an ink by its code',
      steps: [{ click: '"#1677FF"' }, { fill: 'textbox "1677FF"', with: 'ff8800' }, { press: 'Enter' }],
      expect: { ink: '#ff8800' },
    },
    {
      name: 'pack the lamp',
      steps: [{ click: 'checkbox in "Lamp"' }, { click: 'button "right"' }],
      expect: { packed: ['Lamp'] },
    },
    { name: 'open the billing', steps: [{ click: 'tab "Billing"' }], expect: { tab: 'Billing' } },
    {
      name: 'invite someone in a dialog',
      steps: [
        { click: 'button "Invite"' },
        { fill: 'textbox "Mail"', with: 'ada@example.com' },
        { click: 'button "Send"' },
      ],
      expect: { invited: 'ada@example.com' },
    },
  ],
  radix: [
    { name: 'choose a fruit', steps: [{ select: 'Kiwi', in: 'combobox "Fruit"' }], expect: { fruit: 'kiwi' } },
    { name: 'set the speed', steps: [{ fill: 'slider "Speed"', with: '120' }], expect: { speed: 120 } },
    { name: 'choose a density', steps: [{ click: 'radio "Dense"' }], expect: { density: 'dense' } },
    { name: 'turn on the flight mode', steps: [{ click: 'switch "Flight mode"' }], expect: { flight: true } },
    {
      name: 'archive by the menu',
      steps: [{ click: 'button "Actions"' }, { click: 'menuitem "Archive"' }],
      expect: { action: 'archive' },
    },
    { name: 'align to the right', steps: [{ click: '"Right"' }], expect: { align: 'right' } },
    { name: 'open a question', steps: [{ click: 'button "Returns"' }], expect: { question: 'Returns' } },
    { name: 'show what is shared', steps: [{ click: 'tab "Shared"' }], expect: { panel: 'Shared' } },
    {
      name: 'give a nickname in a dialog',
      steps: [
        { click: 'button "Edit profile"' },
        { fill: 'textbox "Nickname"', with: 'Ady' },
        { click: 'button "Done"' },
      ],
      expect: { nick: 'Ady' },
    },
  ],
  'react-aria': [
    { name: 'choose an animal', steps: [{ select: 'Otter', in: 'button "Animal"' }], expect: { animal: 'Otter' } },
    { name: 'choose a river', steps: [{ select: 'Volga', in: 'combobox "River"' }], expect: { river: 'Volga' } },
    {
      name: 'type a start by its parts',
      steps: [{ click: 'spinbutton "month, Start"' }, { type: '11232027' }],
      expect: { start: '2027-11-23' },
    },
    {
      name: 'choose a start in the calendar',
      steps: [{ click: 'button "Calendar"' }, { click: '"Wednesday, May 20, 2026"' }],
      expect: { start: '2026-05-20' },
    },
    {
      name: 'add a seat',
      steps: [{ click: 'button "Increase Seats"' }],
      expect: { seats: 3 },
    },
    {
      name: 'set the seats and the light',
      steps: [
        { fill: 'textbox "Seats"', with: '7' },
        { fill: 'slider "Light"', with: '90' },
      ],
      expect: { seats: 7, light: 90 },
    },
    { name: 'remove a filter', steps: [{ click: 'button "Remove" in "Near"' }], expect: { removed: ['Near'] } },
  ],
  'headless-ui': [
    {
      name: 'choose an owner',
      steps: [{ select: 'Tom Cook', in: 'button "Owner Nobody"' }],
      expect: { owner: 'Tom Cook' },
    },
    {
      name: 'choose two reviewers and a lead',
      steps: [
        { select: 'Tom Cook', in: 'button "Reviewers None"' },
        { select: 'Wade Cooper', in: 'button "Reviewers Tom Cook"' },
        { select: 'Arlene McCoy', in: 'combobox "Lead"' },
      ],
      expect: { reviewers: ['Tom Cook', 'Wade Cooper'], lead: 'Arlene McCoy' },
    },
    { name: 'choose a plan', steps: [{ click: 'radio "Team"' }], expect: { plan: 'Team' } },
    {
      name: 'duplicate by the menu',
      steps: [{ click: 'button "More"' }, { click: '"Duplicate"' }],
      expect: { more: 'duplicate' },
    },
    { name: 'turn on the alerts', steps: [{ click: 'switch "Alerts"' }], expect: { alerts: true } },
  ],
  mantine: [
    { name: 'choose a library', steps: [{ select: 'Svelte', in: '"Library"' }], expect: { library: 'Svelte' } },
    { name: 'choose a town', steps: [{ select: 'Bremen', in: '"Town"' }], expect: { town: 'Bremen' } },
    {
      name: 'choose two sports and a town',
      steps: [
        { select: 'Polo', in: '"Sports"' },
        { select: 'Golf', in: '"Sports"' },
        { select: 'Brno', in: '"Town"' },
      ],
      expect: { sports: ['Polo', 'Golf'], town: 'Brno' },
    },
    {
      name: 'add a keyword',
      steps: [{ click: 'textbox "Keywords"' }, { type: 'new' }, { press: 'Enter' }],
      expect: { keywords: ['old', 'new'] },
    },
    { name: 'give a weight', steps: [{ fill: 'textbox "Weight"', with: '1250' }], expect: { weight: 1250 } },
    { name: 'set the heat', steps: [{ fill: 'slider "Heat"', with: '65' }], expect: { heat: 65 } },
    { name: 'give four stars', steps: [{ click: 'radio "4"' }], expect: { stars: 4 } },
    { name: 'give the pin', steps: [{ fill: '"Pin"', with: '4711' }], expect: { pin: '4711' } },
    { name: 'choose a paint', steps: [{ fill: 'textbox "Paint"', with: '#12b886' }], expect: { paint: '#12b886' } },
    { name: 'choose a size', steps: [{ click: 'radio "Big"' }], expect: { size: 'Big' } },
  ],
};
