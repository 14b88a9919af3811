// Vuetify: lists, a search field, a slider, stars, a code, a number, tabs, a date.
import { createApp, h } from 'vue';
import { createVuetify } from 'vuetify';
import 'vuetify/styles';
import {
  VApp,
  VAutocomplete,
  VCombobox,
  VDateInput,
  VNumberInput,
  VOtpInput,
  VRating,
  VSelect,
  VSlider,
  VTab,
  VTabs,
} from 'vuetify/components';
import { held } from './held.js';

const PARTS = [
  held(VSelect, 'state', { label: 'State', items: ['Utah', 'Iowa', 'Ohio'] }),
  held(VSelect, 'meals', { label: 'Meals', items: ['Lunch', 'Brunch', 'Dinner'], multiple: true, chips: true }),
  held(VAutocomplete, 'airport', { label: 'Airport', items: ['Oslo', 'Osaka', 'Lisbon'] }),
  held(VCombobox, 'mood', { label: 'Mood', items: ['Calm', 'Keen'] }),
  held(VSlider, 'level', { label: 'Level', min: 0, max: 50, step: 1, modelValue: 5 }),
  held(VRating, 'score', { hover: true, itemAriaLabel: 'Score {0} of {1}', modelValue: 1 }),
  held(VOtpInput, 'code', { length: 4, label: 'Code', modelValue: '' }),
  held(VNumberInput, 'copies', { label: 'Copies', modelValue: 1 }),
  held(VTabs, 'tab', { modelValue: 'Home' }, () => ['Home', 'News'].map(value => h(VTab, { value }, () => value))),
  held(VDateInput, 'due', { label: 'Due', modelValue: null }),
];

createApp({ render: () => h(VApp, () => h('main', { style: 'max-width: 480px' }, PARTS.map(part => h('section', [h(part)])))) })
  .use(createVuetify())
  .mount('#root');
