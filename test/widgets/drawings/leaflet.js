// Leaflet: a map with markers and a popup; tiles are not loaded.
import L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { record } from '../record.js';

document.getElementById('root').innerHTML = '<div id="map" style="width: 600px; height: 400px"></div>';
const map = L.map('map').setView([50, 10], 4);
const icon = L.divIcon({ html: '', className: 'pin', iconSize: [20, 20] });
for (const [name, lat, lng] of [['Berlin', 52.5, 13.4], ['Madrid', 40.4, -3.7], ['Vienna', 48.2, 16.4]])
  L.marker([lat, lng], { title: name, alt: name, icon })
    .addTo(map)
    .bindPopup(`<b>${name}</b> <button onclick="outcome.visit = '${name}'">Visit ${name}</button>`)
    .on('click', () => record({ marker: name }));
L.polygon([[46, 7], [47, 10], [45, 10]], { className: 'area' }).addTo(map).bindTooltip('Alps').on('click', () => record({ area: 'Alps' }));
map.on('zoomend', () => record({ zoom: map.getZoom() }));
map.on('moveend', () => record({ moved: true }));
