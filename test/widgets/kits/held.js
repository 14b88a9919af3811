// A Vue component that keeps the value of another one and records it.
import { h } from 'vue';
import { record } from '../record.js';

/** `more` gives further properties, by the component that is made. */
export const held = (part, key, { modelValue, ...props }, children, more = () => ({})) => ({
  data: () => ({ value: modelValue }),
  render() {
    const set = value => {
      this.value = value;
      record({ [key]: value });
    };
    const all = { ...props, ...more(this), modelValue: this.value, 'onUpdate:modelValue': set };
    return h(part, all, children);
  },
});
