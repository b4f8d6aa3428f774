import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 3.3","description":"","frontmatter":{"title":"Requirement 3.3","prev":false,"next":false},"headers":[],"relativePath":"requirements/3.3.md","filePath":"site/pages/requirements/3.3.md"}');
const _sfc_main = { name: "requirements/3.3.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-33" tabindex="-1">Requirement 3.3 <a class="header-anchor" href="#requirement-33" aria-label="Permalink to &quot;Requirement 3.3&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a validly signed delivery whose <code>t</code> is in the past by more than the window, with status 400.</p></blockquote><p>MUST · Source: Interface 5.3, rules 4 and 6</p><p><strong>Prevents:</strong> an attacker replays an old delivery.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/time-window/just-outside-the-past"><code>just-outside-the-past</code></a></td><td>An attacker can replay an old delivery forever.</td></tr><tr><td><a href="/hookproof/cases/time-window/a-year-ago"><code>a-year-ago</code></a></td><td>An attacker can replay an old delivery forever.</td></tr><tr><td><a href="/hookproof/cases/time-window/at-zero"><code>at-zero</code></a></td><td>A delivery dated 1970 is accepted: the age is not checked at all, or not when <code>t</code> is 0. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/time-window/stale-with-the-timestamp-of-its-body"><code>stale-with-the-timestamp-of-its-body</code></a></td><td>An attacker can replay an old delivery forever.</td></tr><tr><td><a href="/hookproof/cases/time-window/stale-with-times-in-headers"><code>stale-with-times-in-headers</code></a></td><td>An attacker can replay an old delivery forever.</td></tr><tr><td><a href="/hookproof/cases/time-window/stale-behind-a-label-that-ends-in-t"><code>stale-behind-a-label-that-ends-in-t</code></a></td><td>An attacker can replay an old delivery forever.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/3.3.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _3_3 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _3_3 as default
};
