// Renders a page of React components, one below the other.
import { createRoot } from 'react-dom/client';

export function render(...parts) {
  createRoot(document.getElementById('root')).render(
    <main>
      {parts.map((Part, index) => (
        <section key={index} style={{ margin: '16px 0', maxWidth: 480 }}>
          <Part />
        </section>
      ))}
    </main>,
  );
}
