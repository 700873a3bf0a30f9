// The language of the page: chosen by hand, else what the browser asks for.
import { saveSettings } from './dialogs.js';
import { find } from './state.js';

const YEAR = 365 * 24 * 3600;

export function startLanguage() {
  const choice = find('language');
  const { cookie } = choice.dataset;
  const kept = document.cookie.split('; ').find((part) => part.startsWith(`${cookie}=`));
  choice.value = kept?.slice(cookie.length + 1) ?? '';
  if (choice.selectedIndex < 0) choice.value = '';
  choice.addEventListener('change', async () => {
    // What was set and not saved would be gone with the page.
    if (find('settings-form').dataset.changed && !(await saveSettings(new Event('submit')))) return;
    const seconds = choice.value ? YEAR : 0;
    document.cookie = `${cookie}=${choice.value}; path=/; max-age=${seconds}; samesite=strict`;
    location.reload();
  });
}
