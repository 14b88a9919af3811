// Select2: a list with a search field, and one that takes several.
import $ from 'jquery';
import select2 from 'select2';
import 'select2/dist/css/select2.css';
import { record } from '../record.js';

const options = texts => texts.map(text => `<option>${text}</option>`).join('');
document.getElementById('root').innerHTML = `
  <p><label for="city">City</label> <select id="city" style="width: 200px">${options(['Athens', 'Berlin', 'Cairo', 'Dublin'])}</select></p>
  <p><label for="toppings">Toppings</label> <select id="toppings" multiple style="width: 300px">${options(['Olives', 'Onions', 'Peppers'])}</select></p>`;
if (typeof select2 === 'function') select2(window, $);
$('#city').select2().on('change', () => record({ city: $('#city').val() }));
$('#toppings').select2().on('change', () => record({ toppings: $('#toppings').val() }));
