import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 2.11","description":"","frontmatter":{"title":"Requirement 2.11","prev":false,"next":false},"headers":[],"relativePath":"requirements/2.11.md","filePath":"site/pages/requirements/2.11.md"}');
const _sfc_main = { name: "requirements/2.11.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-211" tabindex="-1">Requirement 2.11 <a class="header-anchor" href="#requirement-211" aria-label="Permalink to &quot;Requirement 2.11&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a delivery with two <code>t</code> entries when the signed one is stale, with status 400 or 401.</p></blockquote><p>MUST · Source: Convention: the interface allows one <code>t</code>; taking the time from one entry and the signature from the other bypasses the window</p><p><strong>Prevents:</strong> an attacker replays an old delivery by adding a fresh <code>t</code>.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/signature-header/t-twice-stale-one-signed-first"><code>t-twice-stale-one-signed-first</code></a></td><td>An attacker can replay an old delivery by adding a fresh <code>t</code> to its header.</td></tr><tr><td><a href="/hookproof/cases/signature-header/t-twice-stale-one-signed-last"><code>t-twice-stale-one-signed-last</code></a></td><td>An attacker can replay an old delivery by adding a fresh <code>t</code> to its header.</td></tr><tr><td><a href="/hookproof/cases/signature-header/two-header-lines-stale-one-signed"><code>two-header-lines-stale-one-signed</code></a></td><td>An attacker can replay an old delivery by adding a fresh <code>t</code> to its header.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/2.11.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _2_11 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _2_11 as default
};
