// Chart.js: bars on a canvas; a click on one tells which.
import Chart from 'chart.js/auto';
import { record } from '../record.js';

document.getElementById('root').innerHTML = '<div style="width: 500px"><canvas id="sales" aria-label="Sales"></canvas></div>';
new Chart(document.getElementById('sales'), {
  type: 'bar',
  data: { labels: ['January', 'February', 'March'], datasets: [{ label: 'Sold', data: [5, 9, 3] }, { label: 'Returned', data: [2, 1, 2] }] },
  options: {
    animation: false,
    onClick: (_, [hit], chart) => hit && record({ bar: `${chart.data.labels[hit.index]} ${chart.data.datasets[hit.datasetIndex].label}` }),
  },
});
