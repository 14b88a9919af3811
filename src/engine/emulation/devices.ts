// The devices that can be emulated. Sizes are those of the whole screen in CSS pixels, in portrait.

export interface Device {
  width: number;
  height: number;
  scale: number;
  mobile: boolean;
  touch: boolean;
  /** Empty for the browser's own; %s is replaced by the version of the Chrome that runs. */
  userAgent: string;
}

const safari = (device: string, os: string): string =>
  `Mozilla/5.0 (${device}; CPU ${device === 'iPhone' ? 'iPhone ' : ''}OS ${os} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${os.replace('_', '.')} Mobile/15E148 Safari/604.1`;

const chrome = (version: number, model: string): string =>
  `Mozilla/5.0 (Linux; Android ${version}; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s.0.0.0 Mobile Safari/537.36`;

const handheld = (width: number, height: number, scale: number, userAgent: string): Device => ({
  width,
  height,
  scale,
  mobile: true,
  touch: true,
  userAgent,
});

const desktop = (width: number, height: number): Device => ({
  width,
  height,
  scale: 1,
  mobile: false,
  touch: false,
  userAgent: '',
});

export const DEVICES = {
  'iPhone 14': handheld(390, 844, 3, safari('iPhone', '16_6')),
  'iPhone 14 Pro Max': handheld(430, 932, 3, safari('iPhone', '16_6')),
  'iPhone SE': handheld(375, 667, 2, safari('iPhone', '16_6')),
  'iPad Pro': handheld(1024, 1366, 2, safari('iPad', '16_6')),
  'iPad Mini': handheld(768, 1024, 2, safari('iPad', '16_6')),
  'Pixel 7': handheld(412, 915, 2.625, chrome(14, 'Pixel 7')),
  'Pixel 7 Pro': handheld(412, 892, 3.5, chrome(14, 'Pixel 7 Pro')),
  'Samsung Galaxy S23': handheld(360, 780, 3, chrome(14, 'SM-S911B')),
  'Desktop 1080p': desktop(1920, 1080),
  'Desktop 1440p': desktop(2560, 1440),
  'Desktop 4K': desktop(3840, 2160),
} satisfies Record<string, Device>;

export type DeviceName = keyof typeof DEVICES;
export const DEVICE_NAMES = Object.keys(DEVICES) as [DeviceName, ...DeviceName[]];
