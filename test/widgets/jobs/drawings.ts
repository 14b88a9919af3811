// Jobs on charts, shapes and maps.
import type { Jobs } from '../job.ts';

export const DRAWING_JOBS: Jobs = {
  chart: [{ name: 'click a bar', steps: [{ click: '"February"' }], expect: { bar: 'February Sold' } }],
  d3: [
    { name: 'click a circle', steps: [{ click: '"Rome"' }], expect: { city: 'Rome' } },
    { name: 'click a label of the axis', steps: [{ click: 'text "Paris"' }], expect: { axis: 'Paris' } },
    { name: 'hover over a bar', steps: [{ hover: 'rect #2' }], expect: { hint: 'Rome' } },
  ],
  echarts: [
    { name: 'click a slice', steps: [{ click: 'path "Water"' }], expect: { slice: 'Water' } },
    { name: 'hide a part by the legend', steps: [{ click: 'text "Sun" #2' }], expect: { shown: ['Wind', 'Water'] } },
    { name: 'click a bar of the canvas', steps: [{ click: 'bar "Water"' }], expect: { bar: 'Water' } },
  ],
  fabric: [
    { name: 'click the boat', steps: [{ click: '"Boat"' }], expect: { hit: 'Boat' } },
    { name: 'click the pier', steps: [{ click: '"Pier"' }], expect: { hit: 'Pier' } },
    { name: 'drag the buoy to the title', steps: [{ drag: '"Buoy"', onto: '"Summer"' }], expect: { moved: 'Buoy' } },
  ],
  konva: [
    { name: 'click a room', steps: [{ click: '"Hall"' }], expect: { hit: 'Hall' } },
    { name: 'click a table that is turned', steps: [{ click: '"Table"' }], expect: { hit: 'Table' } },
    { name: 'click a text', steps: [{ click: '"Stairs"' }], expect: { hit: 'Stairs' } },
  ],
  leaflet: [
    { name: 'click a marker', steps: [{ click: '"Madrid"' }], expect: { marker: 'Madrid' } },
    {
      name: 'visit a place by its popup',
      steps: [{ click: '"Vienna"' }, { click: '"Visit Vienna"' }],
      expect: { visit: 'Vienna' },
    },
    { name: 'zoom in', steps: [{ click: '"Zoom in"' }], expect: { zoom: 5 } },
    { name: 'click an area', steps: [{ click: 'path' }], expect: { area: 'Alps' } },
  ],
};
