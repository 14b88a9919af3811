// PrimeVue: lists, a cascade, a tree list, a date, a mask, a code, stars, a pick list.
import Aura from '@primeuix/themes/aura';
import AutoComplete from 'primevue/autocomplete';
import CascadeSelect from 'primevue/cascadeselect';
import PrimeVue from 'primevue/config';
import DatePicker from 'primevue/datepicker';
import InputMask from 'primevue/inputmask';
import InputNumber from 'primevue/inputnumber';
import InputOtp from 'primevue/inputotp';
import Listbox from 'primevue/listbox';
import MultiSelect from 'primevue/multiselect';
import PickList from 'primevue/picklist';
import Rating from 'primevue/rating';
import Select from 'primevue/select';
import Slider from 'primevue/slider';
import { createApp, h } from 'vue';
import { held } from './held.js';

const STATES = [
  { name: 'Australia', cities: [{ name: 'Perth' }, { name: 'Sydney' }] },
  { name: 'Canada', cities: [{ name: 'Quebec' }] },
];
const CASCADE = { options: STATES, optionLabel: 'name', optionGroupLabel: 'name', optionGroupChildren: ['cities'], optionValue: 'name' };
const HERBS = ['Basil', 'Bay leaf', 'Thyme'];

/** With a label of its own. */
const labelled = (part, title, props, slots, more) => {
  const key = title.toLowerCase();
  const field = held(part, key, { ...props, inputId: key, 'aria-labelledby': `${key}-label` }, slots, more);
  return { render: () => h('section', [h('label', { for: key, id: `${key}-label` }, title), h(field)]) };
};

/** Suggestions for what is typed. */
const suggested = field => ({
  suggestions: field.value ? HERBS.filter(name => name.toLowerCase().includes(field.value.toLowerCase())) : [],
});

const PARTS = [
  labelled(Select, 'Drink', { options: ['Tea', 'Coffee', 'Juice'] }),
  labelled(MultiSelect, 'Days', { options: ['Monday', 'Tuesday', 'Sunday'], display: 'chip' }),
  labelled(AutoComplete, 'Herb', { modelValue: '' }, undefined, suggested),
  labelled(CascadeSelect, 'Home', CASCADE),
  labelled(DatePicker, 'Due', { modelValue: new Date(2026, 4, 1), dateFormat: 'yy-mm-dd' }),
  labelled(InputMask, 'Plate', { mask: 'aa-9999' }),
  labelled(InputNumber, 'Cost', { mode: 'currency', currency: 'USD', locale: 'en-US' }),
  labelled(InputOtp, 'Token', { length: 4 }),
  labelled(Rating, 'Taste', { modelValue: 1 }),
  labelled(Slider, 'Spice', { modelValue: 10 }),
  labelled(Listbox, 'Cup', { options: ['Small cup', 'Large cup'] }),
  labelled(PickList, 'Basket', { modelValue: [['Salt', 'Oil'], []] }, { option: ({ option }) => option }),
];

createApp({ render: () => h('main', { style: 'max-width: 640px' }, PARTS.map(part => h(part))) })
  .use(PrimeVue, { theme: { preset: Aura } })
  .mount('#root');
