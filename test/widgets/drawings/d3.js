// D3: circles and bars of svg with listeners.
import { select } from 'd3';
import { record } from '../record.js';

const cities = [
  { name: 'Oslo', size: 20 },
  { name: 'Rome', size: 35 },
  { name: 'Paris', size: 28 },
];
document.getElementById('root').innerHTML = '<h1>Cities</h1><p id="hint"></p>';
const svg = select('#root').append('svg').attr('width', 500).attr('height', 300);
svg
  .selectAll('circle')
  .data(cities)
  .join('circle')
  .attr('cx', (_, index) => 80 + index * 120)
  .attr('cy', 60)
  .attr('r', city => city.size)
  .on('click', (_, city) => record({ city: city.name }))
  .append('title')
  .text(city => city.name);
svg
  .selectAll('rect')
  .data(cities)
  .join('rect')
  .attr('class', 'bar')
  .attr('x', (_, index) => 60 + index * 120)
  .attr('y', city => 250 - city.size * 2)
  .attr('width', 40)
  .attr('height', city => city.size * 2)
  .on('mouseenter', (_, city) => {
    document.getElementById('hint').textContent = `${city.name}: ${city.size}`;
    record({ hint: city.name });
  });
svg.selectAll('text').data(cities).join('text').attr('x', (_, index) => 60 + index * 120).attr('y', 280).text(city => city.name).on('click', (_, city) => record({ axis: city.name }));
