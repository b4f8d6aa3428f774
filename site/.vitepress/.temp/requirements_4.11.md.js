import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 4.11","description":"","frontmatter":{"title":"Requirement 4.11","prev":false,"next":false},"headers":[],"relativePath":"requirements/4.11.md","filePath":"site/pages/requirements/4.11.md"}');
const _sfc_main = { name: "requirements/4.11.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-411" tabindex="-1">Requirement 4.11 <a class="header-anchor" href="#requirement-411" aria-label="Permalink to &quot;Requirement 4.11&quot;">​</a></h1><blockquote><p>A receiver MUST answer a validly signed body that JSON parsers treat differently with a status below 500.</p></blockquote><p>MUST · Source: Convention: a 5xx asks the sender to retry, and no retry can fix the body</p><p><strong>Prevents:</strong> one body that the receiver cannot read stops the payments behind it.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/body-bytes/bare-nan"><code>bare-nan</code></a></td><td>One body makes the server fail, and the sender keeps retrying it.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/bare-infinity"><code>bare-infinity</code></a></td><td>One body makes the server fail, and the sender keeps retrying it.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/lone-surrogate-in-the-id"><code>lone-surrogate-in-the-id</code></a></td><td>One body makes the server fail, and the sender keeps retrying it.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/payment-id-repeated"><code>payment-id-repeated</code></a></td><td>One body makes the server fail, and the sender keeps retrying it.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/4.11.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _4_11 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _4_11 as default
};
