import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 10.9","description":"","frontmatter":{"title":"Requirement 10.9","prev":false,"next":false},"headers":[],"relativePath":"requirements/10.9.md","filePath":"site/pages/requirements/10.9.md"}');
const _sfc_main = { name: "requirements/10.9.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-109" tabindex="-1">Requirement 10.9 <a class="header-anchor" href="#requirement-109" aria-label="Permalink to &quot;Requirement 10.9&quot;">​</a></h1><blockquote><p>A receiver MUST still accept a valid delivery after any other requests.</p></blockquote><p>MUST · Source: Convention: what one request breaks is broken for every customer</p><p><strong>Prevents:</strong> anyone stops all payments with some request.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/robustness/good-after-odd-targets"><code>good-after-odd-targets</code></a></td><td>Anyone on the internet can take the receiver down for everyone with one unsigned request.</td></tr><tr><td><a href="/hookproof/cases/robustness/good-after-odd-hosts"><code>good-after-odd-hosts</code></a></td><td>Anyone on the internet can take the receiver down for everyone with one unsigned request.</td></tr><tr><td><a href="/hookproof/cases/robustness/good-after-odd-headers"><code>good-after-odd-headers</code></a></td><td>Anyone on the internet can take the receiver down for everyone with one unsigned request.</td></tr><tr><td><a href="/hookproof/cases/robustness/good-after-odd-content-types"><code>good-after-odd-content-types</code></a></td><td>Anyone on the internet can take the receiver down for everyone with one unsigned request.</td></tr><tr><td><a href="/hookproof/cases/robustness/good-after-odd-protocol"><code>good-after-odd-protocol</code></a></td><td>Anyone on the internet can take the receiver down for everyone with one unsigned request.</td></tr><tr><td><a href="/hookproof/cases/robustness/good-after-headers-that-are-slow-to-match"><code>good-after-headers-that-are-slow-to-match</code></a></td><td>Anyone on the internet can take the receiver down for everyone with one unsigned request.</td></tr><tr><td><a href="/hookproof/cases/robustness/good-while-compressed-bodies-expand"><code>good-while-compressed-bodies-expand</code></a></td><td>Anyone on the internet can take the receiver down for everyone with a few small requests that expand to gigabytes.</td></tr><tr><td><a href="/hookproof/cases/robustness/alive-at-the-end"><code>alive-at-the-end</code></a></td><td>An attacker can take the receiver down for everyone with one request.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/10.9.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _10_9 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _10_9 as default
};
