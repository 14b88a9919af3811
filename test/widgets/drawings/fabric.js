// Fabric: objects on a canvas that are selected by a click and dragged about.
import { Canvas, Circle, FabricText, Group, Rect } from 'fabric';
import { record } from '../record.js';

document.getElementById('root').innerHTML = '<h1>Harbour</h1><canvas id="plan" width="500" height="300"></canvas>';
const canvas = new Canvas('plan');
const boat = new Rect({ left: 100, top: 80, width: 80, height: 40, fill: 'brown', angle: 20 });
boat.name = 'Boat';
const buoy = new Circle({ left: 300, top: 200, radius: 20, fill: 'red' });
buoy.id = 'Buoy';
const pier = new Group([new Rect({ left: 350, top: 60, width: 90, height: 40, fill: 'grey' }), new FabricText('Pier', { left: 350, top: 60, fontSize: 20 })]);
const title = new FabricText('Summer', { left: 100, top: 220 });
canvas.add(boat, buoy, pier, title);
canvas.zoomToPoint({ x: 0, y: 0 }, 0.9);
const nameOf = object => object.name ?? object.id ?? object.text ?? 'Pier';
canvas.on('mouse:down', ({ target }) => record({ hit: target ? nameOf(target) : null }));
canvas.on('object:modified', ({ target }) => record({ moved: nameOf(target) }));
