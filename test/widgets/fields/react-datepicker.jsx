// react-datepicker: one day, and a range.
import { useState } from 'react';
import DatePicker from 'react-datepicker';
import 'react-datepicker/dist/react-datepicker.css';
import { createRoot } from 'react-dom/client';
import { record } from '../record.js';

const text = date => date && `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;

function App() {
  const [day, setDay] = useState(new Date(2026, 4, 1));
  const [[start, end], setRange] = useState([null, null]);
  return (
    <main>
      <label htmlFor="day">Arrival</label>
      <DatePicker
        id="day"
        selected={day}
        onChange={date => {
          setDay(date);
          record({ day: text(date) });
        }}
      />
      <h2>Holiday</h2>
      <DatePicker
        inline
        selectsRange
        selected={start}
        openToDate={new Date(2026, 4, 1)}
        startDate={start}
        endDate={end}
        onChange={range => {
          setRange(range);
          record({ range: range.map(text) });
        }}
      />
    </main>
  );
}

createRoot(document.getElementById('root')).render(<App />);
