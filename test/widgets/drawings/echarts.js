// ECharts: a pie drawn as svg, and bars on a canvas.
import * as echarts from 'echarts';
import { record } from '../record.js';

document.getElementById('root').innerHTML =
  '<div id="pie" style="width: 400px; height: 250px"></div><div id="bars" style="width: 400px; height: 250px"></div>';
const names = ['Wind', 'Water', 'Sun'];
const pie = echarts.init(document.getElementById('pie'), null, { renderer: 'svg' });
pie.setOption({ animation: false, legend: {}, series: [{ type: 'pie', data: names.map((name, index) => ({ name, value: index + 2 })) }] });
pie.on('click', ({ name }) => record({ slice: name }));
pie.on('legendselectchanged', ({ selected }) => record({ shown: names.filter(name => selected[name]) }));
const bars = echarts.init(document.getElementById('bars'));
bars.setOption({ animation: false, xAxis: { data: names }, yAxis: {}, series: [{ type: 'bar', data: [3, 5, 4] }] });
bars.on('click', ({ name }) => record({ bar: name }));
