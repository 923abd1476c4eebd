#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives a report's page in headless Chromium: report_browser.py REPORT.html [FOLDER FOR SCREENSHOTS]

The report compares two runs or more, with texts of the queries and explanations of the second one. Needs chromium,
chromium-driver (Debian) and selenium (PyPI). Look at the screenshots: a script does not see what is ugly."""
import pathlib
import sys
import time

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

page = pathlib.Path(sys.argv[1]).resolve().as_uri()
shots = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
options = webdriver.ChromeOptions()
for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
    options.add_argument(argument)
options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
browser = webdriver.Chrome(options=options)


def shot(name):
    if shots:
        browser.save_screenshot(str(shots / f"{name}.png"))


def appear(width, height, scheme):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                            {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


def press(*keys):
    browser.switch_to.active_element.send_keys(*keys)
    time.sleep(.05)


def focused(property):
    return browser.execute_script(f"return document.activeElement.{property}")


def find(selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


def all_of(selector):
    return browser.find_elements(By.CSS_SELECTOR, selector)


def script(text):
    return browser.execute_script("return " + text)


appear(1280, 900, "light")
browser.get(page)
assert script("performance.getEntriesByType('resource').length") == 0, "the page loads something"
shot("light_top")

# Nothing is wider than the window, on a narrow screen either; wide tables scroll inside their frames.
for width in (1280, 768, 360, 320):
    appear(width, 800, "light")
    assert script("document.documentElement.scrollWidth") <= width, f"at {width} pixels the page scrolls sideways"
    if width == 360:
        shot("narrow_top")
appear(1280, 900, "light")

# Tables sort by their heads, by keyboard too.
first = "[...document.querySelector('table.sortable').tBodies[0].rows].map(r => +r.cells[1].dataset.v)"
head = all_of("table.sortable th button")[1]
head.send_keys(Keys.ENTER)
assert head.find_element(By.XPATH, "..").get_attribute("aria-sort") == "descending"
values = script(first)
assert values == sorted(values, reverse=True), values
head.send_keys(Keys.SPACE)
values = script(first)
assert values == sorted(values) and head.find_element(By.XPATH, "..").get_attribute("aria-sort") == "ascending", values

# Queries: the skip link leads there, words choose, Enter opens, Escape closes and gives the focus back.
browser.refresh()
find("body").send_keys(Keys.TAB)
assert focused("className") == "skip", focused("outerHTML")
press(Keys.ENTER)
press(Keys.TAB)
assert focused("id") == "words", focused("outerHTML")
every = len(all_of("button.q"))
press("zzzzqqqq")
assert find("#count").text == f"0 of {every}", find("#count").text
press(*[Keys.BACKSPACE] * 8)
assert find("#count").text == f"{every} of {every}"
press(Keys.TAB)
assert focused("id") == "differ"
press(Keys.SPACE)
fewer = int(find("#count").text.split()[0])
assert 0 < fewer < every, "systems differ on some queries"
shot("queries")
button = next(b for b in all_of("button.q") if b.is_displayed())
browser.execute_script("arguments[0].focus()", button)
press(Keys.ENTER)
assert button.get_attribute("aria-expanded") == "true" and all_of("tr.detail .ranks section")
browser.execute_script("document.querySelector('tr.open').scrollIntoView()")
shot("query_light")
why = all_of("tr.detail details summary")
assert why, "no hit says how it came about"
browser.execute_script("arguments[0].focus()", why[0])
press(Keys.ENTER)
assert len(find("tr.detail details[open]").text) > 10
shot("query_why")
appear(1280, 900, "dark")
shot("query_dark")
appear(360, 800, "dark")
browser.execute_script("document.querySelector('tr.open').scrollIntoView()")
shot("query_narrow")
assert script("document.querySelector('.ranks').getBoundingClientRect().right") <= 360
assert script("document.documentElement.scrollWidth") <= 360
press(Keys.ESCAPE)
assert not all_of("tr.detail") and focused("className") == "q"

# A bar of a chart leads to its query, an address too; the theme is the system's until the button says otherwise.
appear(1280, 900, "dark")
browser.execute_script("scrollTo(0, 0)")
shot("dark_top")
bar = find("rect[data-q]")
browser.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", bar)
assert find("tr.open button.q").text == bar.get_attribute("data-q")
key = button.text
browser.get(page + "#q=" + key)
assert find("tr.open button.q").text == key
dark = script("getComputedStyle(document.body).backgroundColor")
find("#theme").click()
assert script("getComputedStyle(document.body).backgroundColor") != dark, "the button changes nothing"
errors = [e for e in browser.get_log("browser") if e["level"] == "SEVERE"]
assert not errors, errors
browser.execute_script("localStorage.clear()")

# Every text stands out from what is behind it (WCAG AA: 4.5 to 1), in both themes.
contrast = """(() => {
  const numbers = c => c.match(/[\\d.]+/g).map(Number);
  const light = c => { const [r, g, b] = numbers(c).map(x => (x /= 255) <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$/.test(c)) return c; } return 'rgb(255, 255, 255)'; };
  let worst = [99, ''];
  for (const e of document.querySelectorAll('p,li,td,th,button,span,figcaption,svg text,summary,h1,h2,h3')) {
    if (!e.textContent.trim() || !e.getClientRects().length) continue;
    const style = getComputedStyle(e), a = light(e instanceof SVGElement ? style.fill : style.color), b = light(behind(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < worst[0]) worst = [ratio, e.outerHTML.slice(0, 120)];
  }
  return worst;
})()"""
for scheme in ("light", "dark"):
    appear(1280, 900, scheme)
    browser.get(page)
    browser.get(page + "#q=" + key)
    ratio, where = script(contrast)
    print(f"{scheme}: the least contrast is {ratio:.2f}, {where}")
    assert ratio >= 4.5
browser.quit()
print("the page does what it should")
