// flatpickr: a day, and a day with a time.
import flatpickr from 'flatpickr';
import 'flatpickr/dist/flatpickr.css';
import { record } from '../record.js';

document.getElementById('root').innerHTML =
  '<p><label>Departure <input id="day"></label></p><p><label>Meeting <input id="meeting"></label></p>';
flatpickr('#day', { defaultDate: '2026-05-01', onChange: (_, day) => record({ day }) });
flatpickr('#meeting', { enableTime: true, time_24hr: true, allowInput: true, onChange: (_, meeting) => record({ meeting }) });
